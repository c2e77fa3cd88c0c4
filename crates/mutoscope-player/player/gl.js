// Helpers for WebGL 2: programs, buffers and textures.

/** Starts to compile and link a program. Checking the result would block, so `finishProgram` does it later. */
export function beginProgram(gl, { vertex, fragment }) {
  const program = gl.createProgram();
  const shaders = [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]].map(([kind, source]) => {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    return shader;
  });
  gl.linkProgram(program);
  return { program, shaders };
}

/** Waits for a program and returns it with its uniform locations by name. Throws if it cannot be used. */
export function finishProgram(gl, { program, shaders }) {
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    const logs = [...shaders.map((shader) => gl.getShaderInfoLog(shader)), gl.getProgramInfoLog(program)];
    throw new Error(`Cannot use a shader: ${logs.filter(Boolean).join(' ')}`);
  }
  const uniforms = {};
  const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) ?? 0;
  for (let index = 0; index < count; index++) {
    const { name } = gl.getActiveUniform(program, index);
    uniforms[name] = gl.getUniformLocation(program, name);
  }
  return { program, uniforms };
}

/** Creates a buffer, binds it and uploads `bytes`. */
export function uploadBuffer(gl, target, bytes, usage = gl.STATIC_DRAW) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(target, buffer);
  gl.bufferData(target, bytes, usage);
  return buffer;
}

/** Uploads a shape that is drawn once for each call. */
export function createDrawable(gl, { vertices, triangles }, usage = gl.STATIC_DRAW) {
  const vao = gl.createVertexArray();
  gl.bindVertexArray(vao);
  const buffer = uploadBuffer(gl, gl.ARRAY_BUFFER, vertices, usage);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 24, 0);
  gl.enableVertexAttribArray(1);
  gl.vertexAttribPointer(1, 3, gl.FLOAT, false, 24, 12);
  uploadBuffer(gl, gl.ELEMENT_ARRAY_BUFFER, triangles);
  gl.bindVertexArray(null);
  return { vao, buffer, count: triangles.length };
}

/** The number of floats of an instance: three matrix rows and a colour. */
export const INSTANCE_FLOATS = 16;

/** Uploads a shape that is drawn many times in one call. */
export function createInstances(gl, shape) {
  const drawable = createDrawable(gl, shape);
  gl.bindVertexArray(drawable.vao);
  const instances = uploadBuffer(gl, gl.ARRAY_BUFFER, 0, gl.DYNAMIC_DRAW);
  for (let row = 0; row < 4; row++) {
    gl.enableVertexAttribArray(2 + row);
    gl.vertexAttribPointer(2 + row, 4, gl.FLOAT, false, 4 * INSTANCE_FLOATS, 16 * row);
    gl.vertexAttribDivisor(2 + row, 1);
  }
  gl.bindVertexArray(null);
  return { ...drawable, instances, data: new Float32Array(0), used: 0 };
}

/** Creates a texture of one white pixel. */
export function createWhiteTexture(gl) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([255, 255, 255, 255]));
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  return texture;
}

/** Decodes an image file into a texture. */
export async function loadTexture(gl, bytes, { type, wrap, pixelated }) {
  const options = { premultiplyAlpha: 'none', colorSpaceConversion: 'none' };
  const image = await createImageBitmap(new Blob([bytes], { type }), options);
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, image);
  image.close();
  gl.generateMipmap(gl.TEXTURE_2D);
  const ways = { repeat: gl.REPEAT, mirror: gl.MIRRORED_REPEAT, clamp: gl.CLAMP_TO_EDGE };
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, ways[wrap[0]]);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, ways[wrap[1]]);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, pixelated ? gl.NEAREST : gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, pixelated ? gl.NEAREST_MIPMAP_LINEAR : gl.LINEAR_MIPMAP_LINEAR);
  return texture;
}
