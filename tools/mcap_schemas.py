#!/usr/bin/env python3
"""Writes the schemas that are embedded in MCAP files (crates/mutoscope-tables/src/mcap/schemas).

They are file descriptor sets of Foxglove's messages, from its Python package (MIT licence), and of our own messages. They
are checked in, so that no build needs protoc. Run this program after a change to either, in an environment with the
packages below (`pipx run tools/mcap_schemas.py` creates one).
"""

# /// script
# dependencies = ["foxglove-schemas-protobuf==0.4.0", "protobuf==7.36.2"]
# ///

import argparse
from pathlib import Path

SCHEMAS = Path(__file__).resolve().parent.parent / "crates/mutoscope-tables/src/mcap/schemas"


def write_schemas(folder):
    from foxglove_schemas_protobuf.FrameTransforms_pb2 import FrameTransforms
    from foxglove_schemas_protobuf.Log_pb2 import Log
    from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet

    def list_descriptors(file, found):
        """Returns the descriptors of a file and of its dependencies, dependencies first."""
        for dependency in file.dependencies:
            list_descriptors(dependency, found)
        if file.name not in found:
            found[file.name] = FileDescriptorProto()
            file.CopyToProto(found[file.name])
        return found.values()

    def describe_message(message, field, kind):
        """Returns the descriptor of a file with a message of one field."""
        file = FileDescriptorProto(name=f"mutoscope/{message}.proto", package="mutoscope", syntax="proto3")
        label = FieldDescriptorProto.LABEL_OPTIONAL
        file.message_type.add(name=message).field.add(name=field, number=1, type=kind, label=label, json_name=field)
        return [file]

    for name, files in {
        "FrameTransforms": list_descriptors(FrameTransforms.DESCRIPTOR.file, {}),
        "Log": list_descriptors(Log.DESCRIPTOR.file, {}),
        "Number": describe_message("Number", "value", FieldDescriptorProto.TYPE_DOUBLE),
        "Text": describe_message("Text", "text", FieldDescriptorProto.TYPE_STRING),
    }.items():
        (folder / f"{name}.bin").write_bytes(FileDescriptorSet(file=files).SerializeToString(deterministic=True))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=SCHEMAS, help="where to write the schemas")
    write_schemas(parser.parse_args().folder)
