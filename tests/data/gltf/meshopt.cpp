// Streams of meshoptimizer's encoder, and its decoder's content of them.
#include "src/meshoptimizer.h"
#include <cstdio>
#include <cmath>
#include <cstring>
#include <vector>
#include <string>
typedef std::vector<unsigned char> Bytes;
static unsigned long long state = 20261125;
static double chance() { state = state * 6364136223846793005ull + 1442695040888963407ull; return double(state >> 33) / double(1ull << 31); }
static std::string hex(const Bytes& b) { std::string s; char t[3]; for (unsigned char c : b) { snprintf(t, 3, "%02x", c); s += t; } return s; }
static bool first = true;
static void row(const char* name, const char* mode, const char* filter, size_t count, size_t stride, const Bytes& e, const Bytes& d) {
  printf("%s  {\"name\": \"%s\", \"mode\": \"%s\", \"filter\": \"%s\", \"count\": %zu, \"stride\": %zu,\n   \"encoded\": \"%s\",\n   \"decoded\": \"%s\"}", first ? "" : ",\n", name, mode, filter, count, stride, hex(e).c_str(), hex(d).c_str());
  first = false;
}
static void attributes(const char* name, const char* filter, const Bytes& data, size_t count, size_t stride, int level, int version) {
  Bytes e(meshopt_encodeVertexBufferBound(count, stride));
  e.resize(meshopt_encodeVertexBufferLevel(e.data(), e.size(), data.data(), count, stride, level, version));
  Bytes d(count * stride);
  if (meshopt_decodeVertexBuffer(d.data(), count, stride, e.data(), e.size())) fprintf(stderr, "%s?\n", name);
  std::string f = filter;
  if (f == "OCTAHEDRAL") meshopt_decodeFilterOct(d.data(), count, stride);
  if (f == "QUATERNION") meshopt_decodeFilterQuat(d.data(), count, stride);
  if (f == "EXPONENTIAL") meshopt_decodeFilterExp(d.data(), count, stride);
  if (f == "COLOR") meshopt_decodeFilterColor(d.data(), count, stride);
  row(name, "ATTRIBUTES", filter, count, stride, e, d);
}
static Bytes walk(size_t count, size_t stride) {
  // Shorts that wander, bytes that jump, floats that creep, constants.
  Bytes b(count * stride);
  short s = 100; float f = 1.0f;
  for (size_t i = 0; i < count; ++i) for (size_t k = 0; k < stride; k += 4) {
    unsigned char* p = &b[i * stride + k];
    switch (k / 4 % 4) {
      case 0: s += short(chance() * 40 - 20); memcpy(p, &s, 2); { short t = short(s * 3); memcpy(p + 2, &t, 2); } break;
      case 1: f += float(chance() * 1e-3); memcpy(p, &f, 4); break;
      case 2: p[0] = chance() < 0.5; p[1] = chance() < 0.1 ? 200 : 7; p[2] = (unsigned char)(chance() * 256); p[3] = (unsigned char)(i & 3); break;
      default: p[0] = 9; p[3] = 255; break;
    }
  }
  return b;
}
int main() {
  printf("[\n");
  attributes("version 0", "NONE", walk(270, 16), 270, 16, 2, 0);
  attributes("version 1", "NONE", walk(270, 16), 270, 16, 2, 1);
  {
    Bytes b(64 * 8);
    unsigned v = 0x12345678, w = 0xcafe1234;
    for (size_t i = 0; i < 64; ++i) { v ^= unsigned(chance() * 8) << 14; w ^= unsigned(chance() * 16) << 6; memcpy(&b[i * 8], &v, 4); memcpy(&b[i * 8 + 4], &w, 4); }
    attributes("turned bits", "NONE", b, 64, 8, 3, 1);
  }
  attributes("groups of one", "NONE", walk(17, 12), 17, 12, 3, 1);
  attributes("large elements", "NONE", walk(18, 256), 18, 256, 2, 1);
  attributes("zeros", "NONE", Bytes(300 * 4), 300, 4, 2, 1);
  attributes("one", "NONE", walk(1, 4), 1, 4, 2, 0);
  {
    std::vector<float> v(64 * 4), q(64 * 4), c(64 * 4), x(64 * 3);
    for (int i = 0; i < 64; ++i) {
      double n[4], l = 0, m = 0;
      for (double& one : n) one = chance() * 2 - 1;
      l = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]); m = sqrt(l * l + n[3] * n[3]);
      for (int k = 0; k < 4; ++k) { v[i * 4 + k] = float(k < 3 ? n[k] / l : (i & 1 ? 1 : -1)); q[i * 4 + k] = float(n[k] / m); c[i * 4 + k] = float(chance()); }
      for (int k = 0; k < 3; ++k) x[i * 3 + k] = float(n[k] * pow(10.0, chance() * 8 - 4));
    }
    Bytes b(64 * 8), s(64 * 4), e(64 * 12);
    meshopt_encodeFilterOct(s.data(), 64, 4, 8, v.data()); attributes("octahedral bytes", "OCTAHEDRAL", s, 64, 4, 2, 0);
    meshopt_encodeFilterOct(b.data(), 64, 8, 12, v.data()); attributes("octahedral shorts", "OCTAHEDRAL", b, 64, 8, 2, 1);
    meshopt_encodeFilterQuat(b.data(), 64, 8, 16, q.data()); attributes("quaternion", "QUATERNION", b, 64, 8, 2, 0);
    meshopt_encodeFilterQuat(b.data(), 64, 8, 10, q.data()); attributes("quaternion of 10 bits", "QUATERNION", b, 64, 8, 2, 1);
    meshopt_encodeFilterExp(e.data(), 64, 12, 15, x.data(), meshopt_EncodeExpSeparate); attributes("exponential", "EXPONENTIAL", e, 64, 12, 2, 0);
    meshopt_encodeFilterExp(e.data(), 64, 12, 23, x.data(), meshopt_EncodeExpSharedVector); attributes("exponential, shared", "EXPONENTIAL", e, 64, 12, 2, 1);
    meshopt_encodeFilterColor(s.data(), 64, 4, 8, c.data()); attributes("color bytes", "COLOR", s, 64, 4, 2, 1);
    meshopt_encodeFilterColor(b.data(), 64, 8, 13, c.data()); attributes("color shorts", "COLOR", b, 64, 8, 2, 1);
  }
  {
    // A grid of triangles in order, some out of order, some far apart.
    std::vector<unsigned int> t;
    const unsigned n = 9;
    for (unsigned y = 0; y + 1 < n; ++y) for (unsigned x = 0; x + 1 < n; ++x) {
      unsigned a = y * n + x, corners[6] = {a, a + 1, a + n, a + n, a + 1, a + n + 1};
      for (unsigned one : corners) t.push_back(one);
    }
    for (int i = 0; i < 30; ++i) for (int k = 0; k < 3; ++k) t.push_back(unsigned(chance() * 60000));
    for (int i = 0; i < 2; ++i) for (unsigned k = 0; k < 60; ++k) t.push_back(k);
    for (int stride = 2; stride <= 4; stride += 2) {
      Bytes e(meshopt_encodeIndexBufferBound(t.size(), 65536));
      e.resize(meshopt_encodeIndexBuffer(e.data(), e.size(), t.data(), t.size()));
      Bytes d(t.size() * stride);
      if (meshopt_decodeIndexBuffer(d.data(), t.size(), stride, e.data(), e.size())) fprintf(stderr, "triangles?\n");
      row(stride == 2 ? "triangles" : "triangles of 32 bits", "TRIANGLES", "NONE", t.size(), stride, e, d);
    }
    std::vector<unsigned int> s;
    for (unsigned i = 0; i < 60; ++i) s.push_back(i % 2 ? 40000 + 3 * i : i * i);
    Bytes e(meshopt_encodeIndexSequenceBound(s.size(), 65536));
    e.resize(meshopt_encodeIndexSequence(e.data(), e.size(), s.data(), s.size()));
    Bytes d(s.size() * 4);
    if (meshopt_decodeIndexSequence(d.data(), s.size(), 4, e.data(), e.size())) fprintf(stderr, "sequence?\n");
    row("sequence", "INDICES", "NONE", s.size(), 4, e, d);
  }
  printf("\n]\n");
}
