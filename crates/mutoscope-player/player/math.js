// Vectors, quaternions and matrices: plain arrays, in double precision. Quaternions are x, y, z, w.
// Matrices of three rows and columns are row by row; those of four are column by column, as WebGL has them.

/** The rotation `a` after `b`. */
export function turnedBy(a, b) {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

/** A quaternion of length 1. */
export function unitQuat(q) {
  // `Math.hypot` is several times as slow, and this is done for every node and key.
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) || 1;
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

/** The rotation about a vector by its length in radians. */
export function turnAbout(x, y, z) {
  const angle = Math.sqrt(x * x + y * y + z * z);
  const over = angle < 1e-9 ? 0.5 : Math.sin(0.5 * angle) / angle;
  return [x * over, y * over, z * over, Math.cos(0.5 * angle)];
}

/** `part` of the way from one rotation to another, the short way at even speed. */
export function slerp(a, b, part) {
  let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(1, Math.abs(cosine));
  const angle = Math.acos(cosine);
  const sine = Math.sin(angle);
  const [from, to] =
    sine < 1e-6 ? [1 - part, part] : [Math.sin((1 - part) * angle) / sine, Math.sin(part * angle) / sine];
  const by = sign * to;
  return unitQuat([from * a[0] + by * b[0], from * a[1] + by * b[1], from * a[2] + by * b[2], from * a[3] + by * b[3]]);
}

/** The matrix of a rotation, scaled along its own axes before it is turned. */
export function turnAndScale(q, s) {
  const [x, y, z, w] = q;
  const [xx, yy, zz, xy, xz, yz] = [x * x, y * y, z * z, x * y, x * z, y * z];
  const [wx, wy, wz] = [w * x, w * y, w * z];
  return [
    (1 - 2 * (yy + zz)) * s[0], 2 * (xy - wz) * s[1], 2 * (xz + wy) * s[2],
    2 * (xy + wz) * s[0], (1 - 2 * (xx + zz)) * s[1], 2 * (yz - wx) * s[2],
    2 * (xz - wy) * s[0], 2 * (yz + wx) * s[1], (1 - 2 * (xx + yy)) * s[2],
  ];
}

/** A matrix of three rows times a vector. */
export function times(m, v) {
  return [
    m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
    m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
    m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
  ];
}

/** The product of two matrices of three rows. */
export function product(a, b) {
  const out = new Array(9);
  for (let row = 0; row < 9; row += 3) {
    for (let column = 0; column < 3; column++) {
      out[row + column] = a[row] * b[column] + a[row + 1] * b[3 + column] + a[row + 2] * b[6 + column];
    }
  }
  return out;
}

/** The matrix of four columns of a linear map and a translation. */
export function affine(m, t) {
  return [m[0], m[3], m[6], 0, m[1], m[4], m[7], 0, m[2], m[5], m[8], 0, t[0], t[1], t[2], 1];
}

/** The product of two matrices of four columns. */
export function product4(a, b) {
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
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaled = (a, by) => [a[0] * by, a[1] * by, a[2] * by];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const lerp = (a, b, part) => [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part];
export const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

/** A vector of length 1, or `otherwise` where it has no direction. */
export function unit(v, otherwise = [0, 0, 0]) {
  const length = Math.hypot(v[0], v[1], v[2]);
  return length > 1e-12 && Number.isFinite(length) ? scaled(v, 1 / length) : otherwise;
}

/** The vector turned by a quaternion. */
export function turnedVector(q, v) {
  const u = [q[0], q[1], q[2]];
  const t = scaled(cross(u, v), 2);
  return add(add(v, scaled(t, q[3])), cross(u, t));
}

/** A colour from its six hexadecimal digits, or from red, green and blue of 0 to 255, linear. */
export function linearColor(color) {
  const parts = Array.isArray(color) ? color : [(color >> 16) & 255, (color >> 8) & 255, color & 255];
  return parts.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

/** `part` of the way from one colour to another, as sRGB numbers. */
export function mixed(a, b, part) {
  const parts = (color) => [(color >> 16) & 255, (color >> 8) & 255, color & 255];
  return parts(a).map((value, index) => Math.round(value + (parts(b)[index] - value) * part));
}
