//! Tests with streams from meshoptimizer's encoder, their content according to its decoder, and
//! broken streams.

use mutoscope_testing::{fixtures, property::check_property_times};

use super::*;

fn bytes(value: &Value) -> Vec<u8> {
    let digits = value.as_str().unwrap().as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

fn rows() -> Vec<Value> {
    fixtures::json("gltf/meshopt.json").as_array().unwrap().clone()
}

fn view(row: &Value) -> CompressedView {
    serde_json::from_value(serde_json::json!({
        "buffer": 0, "byteLength": bytes(&row["encoded"]).len(), "byteStride": row["stride"],
        "count": row["count"], "mode": row["mode"], "filter": row["filter"],
    }))
    .unwrap()
}

/// Returns the largest difference between two contents, in units of the numbers that the filter
/// creates.
fn steps(filter: Filter, stride: usize, one: &[u8], other: &[u8]) -> i32 {
    assert_eq!(one.len(), other.len());
    let is_exact = matches!(filter, Filter::None | Filter::Exponential);
    let width = if !is_exact && stride == 8 { 2 } else { 1 };
    let number = |part: &[u8]| match (width, filter) {
        (1, Filter::Octahedral) => i32::from(part[0] as i8),
        (1, _) => i32::from(part[0]),
        (_, Filter::Color) => i32::from(u16::from_le_bytes([part[0], part[1]])),
        _ => i32::from(i16::from_le_bytes([part[0], part[1]])),
    };
    let pairs = one.chunks(width).zip(other.chunks(width));
    pairs.map(|(one, other)| (number(one) - number(other)).abs()).max().unwrap_or(0)
}

#[test]
fn streams_decode_like_meshoptimizer() {
    let rows = rows();
    assert_eq!(rows.len(), 18);
    for row in &rows {
        let (view, expected) = (view(row), bytes(&row["decoded"]));
        assert_eq!(view.decoded_length(expected.len()), Ok(expected.len()), "{}", row["name"]);
        let found = view.decode(&bytes(&row["encoded"])).unwrap();
        let off = steps(view.filter, view.byte_stride, &found, &expected);
        // Filters may differ by one unit because of rounding. Everything else must be equal to the
        // last bit.
        let is_exact = matches!(view.filter, Filter::None | Filter::Exponential);
        assert!(off <= i32::from(!is_exact), "{}: {off}", row["name"]);
    }
}

#[test]
fn truncated_streams_and_trailing_bytes_are_errors() {
    for row in rows() {
        let (view, encoded) = (view(&row), bytes(&row["encoded"]));
        for length in 0..encoded.len() {
            assert!(view.decode(&encoded[..length]).is_err(), "{} at {length}", row["name"]);
        }
        let tail = match (view.mode, encoded[0]) {
            (Mode::Attributes, 0xa0) => view.byte_stride.max(32),
            (Mode::Attributes, _) => (view.byte_stride * 5 / 4).max(24),
            (Mode::Triangles, _) => 16,
            (Mode::Indices, _) => 4,
        };
        let mut longer = encoded.clone();
        longer.insert(encoded.len() - tail, 0);
        let error = view.decode(&longer).unwrap_err();
        assert_eq!(error, MeshoptError::BytesLeftOver(1), "{}", row["name"]);
    }
}

#[test]
fn corrupted_streams_never_panic() {
    for row in rows() {
        let (view, encoded) = (view(&row), bytes(&row["encoded"]));
        check_property_times(200, |random| {
            let mut bytes = encoded.clone();
            for _ in 0..1 + random.below(4) {
                bytes[random.below(encoded.len())] = random.below(256) as u8;
            }
            let decoded = view.decode(&bytes);
            assert!(decoded.is_err() || decoded.unwrap().len() == view.count * view.byte_stride);
        });
    }
}

#[test]
fn counts_beyond_the_bytes_are_errors_before_anything_is_allocated() {
    for (mode, stride) in [("ATTRIBUTES", 256), ("TRIANGLES", 4), ("INDICES", 2)] {
        let count = usize::MAX / 4 / 768 * 3;
        let json = serde_json::json!({"buffer": 0, "byteLength": 60, "byteStride": stride,
            "count": count, "mode": mode});
        let view: CompressedView = serde_json::from_value(json).unwrap();
        let header = match mode {
            "ATTRIBUTES" => 0xa1,
            "TRIANGLES" => 0xe1,
            _ => 0xd1,
        };
        let mut stream = vec![0; 400];
        stream[0] = header;
        let error = view.decode(&stream).unwrap_err();
        assert!(matches!(error, MeshoptError::Truncated { .. }), "{mode}: {error}");
        assert!(view.decoded_length(1).is_err());
    }
}

#[test]
fn invalid_modes_and_filters_are_rejected() {
    let wrong = [
        (r#""ATTRIBUTES", "byteStride": 6"#, "6 bytes do not suit"),
        (r#""ATTRIBUTES", "byteStride": 260"#, "260 bytes do not suit"),
        (r#""TRIANGLES", "byteStride": 3"#, "3 bytes do not suit"),
        (r#""TRIANGLES", "byteStride": 2, "count": 4"#, "three indices"),
        (r#""INDICES", "byteStride": 4, "filter": "COLOR""#, "do not suit"),
        (r#""ATTRIBUTES", "byteStride": 12, "filter": "QUATERNION""#, "do not suit"),
        (r#""LINES", "byteStride": 4"#, "unknown variant"),
        (r#""ATTRIBUTES", "byteStride": -4"#, "invalid value"),
    ];
    for (members, expected) in wrong {
        let count = if members.contains("count") { "" } else { r#", "count": 3"# };
        let json = format!(
            r#"{{"bufferViews": [{{}}, {{"extensions": {{"EXT_meshopt_compression":
            {{"buffer": 0, "byteLength": 9, "mode": {members}{count}}}}}}}]}}"#
        );
        let mut views = find_compressed_views(json.as_bytes());
        let (index, view) = views.pop().unwrap();
        let decode = |view: CompressedView| Ok(view.decoded_length(usize::MAX)?);
        let error = view.and_then(decode).unwrap_err();
        assert_eq!((index, error.code), (1, codes::INVALID_COMPRESSION));
        assert!(error.to_string().contains(expected), "{members}: {error}");
    }
    for other in ["[]", "{}", r#"{"bufferViews": [1]}"#, r#"{"bufferViews": [{"extensions": 1}]}"#]
    {
        assert!(find_compressed_views(other.as_bytes()).is_empty(), "{other}");
    }
}
