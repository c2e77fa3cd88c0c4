//! The codes of diagnostics about MCAP logs.

mutoscope_core::codes! { "mcap":
    /// The file ends too early or is broken. The log is loaded up to there.
    TRUNCATED = "truncated" {
        cause: "The recording program was stopped, or the file was not copied as a whole.",
        remedy: "Copy the file again, or repair it with: mcap recover.",
    }
    /// Messages do not have the fields that their schema or their type demands. They are skipped.
    INVALID_MESSAGE = "invalid-message" {
        cause: "The schema in the file is not that of the messages, or the file is damaged.",
        remedy: "Record again with the schema of the messages. The message names the first topic and field.",
    }
    /// Topics have messages without poses, or of types that Mutoscope does not know. They are not read.
    UNREAD_TOPICS = "unread-topics" {
        cause: "The log also has images, point clouds or other data.",
        remedy: "Nothing has to be done, unless a topic with poses is listed.",
    }
    /// A topic has poses, but Mutoscope cannot decode them. They are not read.
    UNSUPPORTED_SCHEMA = "unsupported-schema" {
        cause: "The schema is missing, broken or in a form that Mutoscope does not know.",
        remedy: "Record the topic with one of the encodings that the page about MCAP lists, and with its schema.",
    }
    /// The schema of a topic is missing. The usual fields of its type are assumed.
    SCHEMA_ASSUMED = "schema-assumed" {
        cause: "The recording program did not store schemas.",
        remedy: "Look at the motion. If it is wrong, record again with schemas.",
    }
    /// The folder has several robot descriptions, and none of them is named after the log. None is used.
    SEVERAL_ROBOTS = "several-robots" {
        cause: "Several files end with .urdf.",
        remedy: "Give the right one the name of the log: for take.mcap, take.urdf.",
    }
    /// The robot description next to the log cannot be read, so joints do not move links.
    ROBOT_UNREADABLE = "robot-unreadable" {
        cause: "The file is not URDF, or is a Xacro file that was not expanded.",
        remedy: "Correct the file. Expand a Xacro file with: xacro robot.xacro > robot.urdf.",
    }
    /// The links of the robot are from a file next to the log.
    ROBOT_BESIDE = "robot-beside" {
        cause: "The log has positions of joints, but no robot description.",
        remedy: "If the robot is wrong, replace or remove the file.",
    }
    /// The log has no positions for joints of the robot. They are drawn at 0.
    JOINTS_WITHOUT_POSITIONS = "joints-without-positions" {
        cause: "The log lacks the topic of these joints, or the names of the joints differ.",
        remedy: "Record the topic /joint_states of the whole robot.",
    }
    /// The time stamps go backwards. The message says which times are used instead.
    STAMPS_GO_BACK = "stamps-go-back" {
        cause: "The messages are from a bag that was played in a loop, or the clock was set back.",
        remedy: "Record one pass only. Otherwise check that the times are right.",
    }
    /// Messages are not in the order of their times. Mutoscope sorts them.
    UNSORTED = "unsorted-messages" {
        cause: "Messages arrived late, or several publishers send on one topic.",
        remedy: "Nothing has to be done.",
    }
    /// The time stamps of topics are from different clocks, or missing. Log times are used for some topics.
    SEVERAL_CLOCKS = "several-clocks" {
        cause: "Some topics use simulated time, or computers whose clocks are not synchronised.",
        remedy: "Check that the topics fit together in time. Set use_sim_time for all nodes, or synchronise the clocks.",
    }
    /// Times are counted from an epoch. The first one becomes time 0.
    EPOCH_TIMES = "epoch-times" {
        cause: "The time stamps of messages count from 1970.",
        remedy: "Nothing has to be done.",
    }
    /// The axes, the unit or another fact is assumed, because the log does not state it.
    ASSUMED = "assumed" {
        cause: "MCAP has no field for the fact. It follows from the types of the messages.",
        remedy: "If the motion is wrong, choose the fact in the inspector, or state it in a mapping file with --columns FILE.",
    }
    /// A frame has a static transform and others under another parent. The static transform is skipped.
    STATIC_AND_MOVING = "static-and-moving" {
        cause: "Two publishers send the same frame.",
        remedy: "Remove one of the publishers. ROS demands one parent for each frame.",
    }
    /// A frame is published under several parents. The transforms under one of them are kept.
    SEVERAL_PARENTS = "several-parents" {
        cause: "Two publishers send the same frame, or a frame changes to a parent that is not connected.",
        remedy: "Remove one of the publishers. ROS demands one parent for each frame.",
    }
    /// A frame changes its parent. Its poses are converted to a common ancestor.
    PARENT_CHANGES = "parent-changes" {
        cause: "An object is grasped and put down again.",
        remedy: "Nothing has to be done.",
    }
    /// Static transforms of a frame differ. The last one is used.
    STATIC_CHANGES = "static-changes" {
        cause: "A publisher was restarted with another calibration.",
        remedy: "Publish a frame that moves on /tf instead of /tf_static.",
    }
    /// Transforms are skipped, because they are not finite, have no frame id, or a rotation of zeros.
    INVALID_TRANSFORM = "invalid-transform" {
        cause: "The publisher sent messages that it had not filled in, or divided by zero.",
        remedy: "Correct the publisher. Do not rely on the frames at these times.",
    }
    /// Poses have a rotation of zeros. They are drawn without a rotation.
    ZERO_ROTATION = "zero-rotation" {
        cause: "The publisher fills in only positions.",
        remedy: "Do not rely on the rotations. Set w to 1 in the publisher.",
    }
    /// A message has more poses than Mutoscope reads. The others are skipped.
    TOO_MANY_POSES = "too-many-poses" {
        cause: "The topic holds particles or another large set of poses.",
        remedy: "Nothing has to be done for the other topics.",
    }
    /// Frames are not connected by transforms. They are drawn at the same origin.
    UNCONNECTED_FRAMES = "unconnected-frames" {
        cause: "The log lacks the transforms between them, often those of /tf_static.",
        remedy: "Record /tf and /tf_static. Otherwise do not compare positions across these frames.",
    }
    /// Poses of OpenXR and of ROS are in one log. Their origins are drawn at the same position.
    MIXED_SPACES = "mixed-spaces" {
        cause: "A headset and a robot were recorded together, without a transform between them.",
        remedy: "Do not compare positions of the headset with those of the robot.",
    }
}
