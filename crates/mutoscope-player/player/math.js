// Vectors, quaternions and matrices as plain arrays of f64. Quaternions are x, y, z, w.
// 3×3 matrices are row-major. 4×4 matrices are column-major, because WebGL expects them so.

/** Returns the multiplyMatrices of two quaternions: first the rotation `b`, then `a`. */
export function multiplyQuats(a, b) {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

/** Normalises a quaternion. */
export function normalizeQuat(q) {
  // Do not use Math.hypot, because it is several times slower and this runs for every node and key.
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) || 1;
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

/** Converts a rotation vector, in radians, to a quaternion. */
export function quatFromRotationVector(x, y, z) {
  const angle = Math.sqrt(x * x + y * y + z * z);
  const over = angle < 1e-9 ? 0.5 : Math.sin(0.5 * angle) / angle;
  return [x * over, y * over, z * over, Math.cos(0.5 * angle)];
}

/** Interpolates between two rotations along the shorter way. `part` is from 0 to 1. */
export function slerp(a, b, part) {
  let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(1, Math.abs(cosine));
  const angle = Math.acos(cosine);
  const sine = Math.sin(angle);
  const [from, to] =
    sine < 1e-6 ? [1 - part, part] : [Math.sin((1 - part) * angle) / sine, Math.sin(part * angle) / sine];
  const by = sign * to;
  return normalizeQuat([from * a[0] + by * b[0], from * a[1] + by * b[1], from * a[2] + by * b[2], from * a[3] + by * b[3]]);
}

/** Returns the 3×3 matrix that scales by `s`, then rotates by `q`. */
export function rotationScaleMatrix(q, s) {
  const [x, y, z, w] = q;
  const [xx, yy, zz, xy, xz, yz] = [x * x, y * y, z * z, x * y, x * z, y * z];
  const [wx, wy, wz] = [w * x, w * y, w * z];
  return [
    (1 - 2 * (yy + zz)) * s[0], 2 * (xy - wz) * s[1], 2 * (xz + wy) * s[2],
    2 * (xy + wz) * s[0], (1 - 2 * (xx + zz)) * s[1], 2 * (yz - wx) * s[2],
    2 * (xz - wy) * s[0], 2 * (yz + wx) * s[1], (1 - 2 * (xx + yy)) * s[2],
  ];
}

/** Multiplies a 3×3 matrix by a vector. */
export function multiplyVector(m, v) {
  return [
    m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
    m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
    m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
  ];
}

/** Multiplies two 3×3 matrices. */
export function multiplyMatrices(a, b) {
  const out = new Array(9);
  for (let row = 0; row < 9; row += 3) {
    for (let column = 0; column < 3; column++) {
      out[row + column] = a[row] * b[column] + a[row + 1] * b[3 + column] + a[row + 2] * b[6 + column];
    }
  }
  return out;
}

/** Returns the 4×4 matrix of a 3×3 matrix and a translation. */
export function affineMatrix(m, t) {
  return [m[0], m[3], m[6], 0, m[1], m[4], m[7], 0, m[2], m[5], m[8], 0, t[0], t[1], t[2], 1];
}

/** Multiplies two 4×4 matrices. */
export function multiplyMatrices4(a, b) {
  const out = new Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k];
      out[4 * column + row] = sum;
    }
  }
  return out;
}

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaleVector = (a, by) => [a[0] * by, a[1] * by, a[2] * by];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const lerp = (a, b, part) => [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part];
export const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

/** Normalises a vector. Returns `otherwise` if it has no direction. */
export function normalize(v, otherwise = [0, 0, 0]) {
  const length = Math.hypot(v[0], v[1], v[2]);
  return length > 1e-12 && Number.isFinite(length) ? scaleVector(v, 1 / length) : otherwise;
}

/** Rotates a vector by a quaternion. */
export function rotateVector(q, v) {
  const u = [q[0], q[1], q[2]];
  const t = scaleVector(cross(u, v), 2);
  return add(add(v, scaleVector(t, q[3])), cross(u, t));
}

/** Converts an sRGB colour to linear components from 0 to 1. The colour is 0xRRGGBB, or an array of values from 0 to 255. */
export function linearColor(color) {
  const parts = Array.isArray(color) ? color : [(color >> 16) & 255, (color >> 8) & 255, color & 255];
  return parts.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

/** Interpolates between two colours 0xRRGGBB. Returns sRGB values from 0 to 255. */
export function mixColors(a, b, part) {
  const parts = (color) => [(color >> 16) & 255, (color >> 8) & 255, color & 255];
  return parts(a).map((value, index) => Math.round(value + (parts(b)[index] - value) * part));
}
