//! Decodes messages by the schema and the encoding of their channel.

use super::{
    container::{Channel, Schema},
    error::{MessageError, Result},
    flatbuffer::FlatTypes,
    messages::MessageKind,
    protobuf::ProtobufTypes,
    ros::{self, RosVersion},
    ros_types::{RosTypes, is_standard},
    value::Value,
};
use crate::mcap::messages::FRAME_TRANSFORMS;

/// The schema of IsaacTeleop's hands and heads.
const ISAAC_SCHEMA: &[u8] = include_bytes!("schemas/isaac.bfbs");

/// How the messages of a channel are decoded.
pub(super) struct Decoder {
    pub(super) kind: MessageKind,
    pub(super) encoding: &'static str,
    /// `true` if the schema of the file is missing, and the usual schema of that name is used.
    pub(super) is_schema_assumed: bool,
    types: Types,
}

enum Types {
    Ros(RosVersion, RosTypes),
    Protobuf(ProtobufTypes),
    FlatBuffer(FlatTypes),
    Json,
}

impl Decoder {
    /// Returns `None` if messages with this schema are not read.
    ///
    /// # Errors
    /// If the schema or the encoding is not supported.
    pub(super) fn new(schema: &Schema, channel: &Channel) -> Option<Result<Self>> {
        let kind = MessageKind::from_schema(&schema.name, &channel.topic)?;
        let encoding = ["ros1", "cdr", "protobuf", "flatbuffer", "json"]
            .into_iter()
            .find(|encoding| channel.encoding == *encoding);
        Some(match encoding {
            Some(encoding) => Types::new(schema, encoding).map(|(types, is_schema_assumed)| Self {
                kind,
                encoding,
                is_schema_assumed,
                types,
            }),
            None => {
                Err(MessageError::Unsupported { what: "encoding", name: channel.encoding.clone() })
            }
        })
    }

    pub(super) fn decode<'a>(&'a self, data: &'a [u8]) -> Result<Value<'a>> {
        match &self.types {
            Types::Ros(version, types) => ros::decode(*version, types, data),
            Types::Protobuf(types) => types.decode(data),
            Types::FlatBuffer(types) => types.decode(data),
            Types::Json => {
                let value: serde_json::Value =
                    serde_json::from_slice(data).map_err(MessageError::syntax)?;
                Ok(value.into())
            }
        }
    }
}

impl Types {
    /// Returns the types of a schema, and `true` if they are not from the file.
    fn new(schema: &Schema, encoding: &str) -> Result<(Self, bool)> {
        let Schema { name, data, .. } = schema;
        let is_missing = data.is_empty();
        match encoding {
            "ros1" | "cdr" => {
                let version = if encoding == "ros1" { RosVersion::One } else { RosVersion::Two };
                if is_missing && !is_standard(name) {
                    return Err(MessageError::NoSchema);
                }
                if !["", "ros1msg", "ros2msg"].contains(&schema.encoding.as_str()) {
                    let name = schema.encoding.clone();
                    return Err(MessageError::Unsupported { what: "schema encoding", name });
                }
                let text = str::from_utf8(data).map_err(|_| MessageError::SchemaNotUtf8)?;
                Ok((Self::Ros(version, RosTypes::parse(version, name, text)?), is_missing))
            }
            "protobuf" => {
                let data = if is_missing { FRAME_TRANSFORMS.1 } else { data };
                Ok((Self::Protobuf(ProtobufTypes::parse(name, data)?), is_missing))
            }
            "flatbuffer" => match FlatTypes::parse(name, data) {
                Ok(types) => Ok((Self::FlatBuffer(types), false)),
                Err(error) => {
                    let types = FlatTypes::parse(name, ISAAC_SCHEMA).map_err(|_| error)?;
                    Ok((Self::FlatBuffer(types), true))
                }
            },
            _ => Ok((Self::Json, false)),
        }
    }
}
