//! The codes of the checks of motion.

pub(super) mod hand {
    mutoscope_core::codes! { "hand":
        /// A bone of a hand changes its length.
        BONE_LENGTH = "bone-length" {
            cause: "Tracking misplaced a joint, or the joints of two hands were mixed.",
            remedy: "Do not rely on the fingers at these times.",
        }
        /// The left and the right hand exchange places between two samples.
        SWAPPED = "swapped" {
            cause: "Tracking took one hand for the other.",
            remedy: "Exchange the hands up to the next exchange, or leave this part out.",
        }
        /// A wrist moves faster than a person can.
        JUMP = "jump" {
            cause: "Tracking lost the hand and found something else, or the origin of the headset moved.",
            remedy: "Leave these times out of measures of speed and distance.",
        }
        /// A tracked hand does not change at all.
        FROZEN = "frozen" {
            cause: "Tracking was lost, and the recording program repeated the last pose.",
            remedy: "Treat the hand as not tracked at these times.",
        }
        /// A resting hand trembles more than tracking should.
        JITTER = "jitter" {
            cause: "The light is poor, the hand is at the edge of the view, or another object hides it.",
            remedy: "Filter the positions, or do not measure tremor and jerk at these times.",
        }
        /// A joint of a finger bends where it cannot.
        JOINT_LIMIT = "joint-limit" {
            cause: "Tracking misplaced a fingertip, or took the palm for the back of the hand.",
            remedy: "Do not rely on the fingers at these times.",
        }
        /// The rotation of a wrist or palm disagrees with the bones of the hand.
        ORIENTATION = "orientation" {
            cause: "Tracking flipped the hand, or the rotations and the positions are from different frames or hands.",
            remedy: "Use the positions of the joints only, or leave these times out.",
        }
        /// Tracking of a hand is lost and found again within a moment, repeatedly.
        FLICKER = "flicker" {
            cause: "The hand is at the edge of the view, or another object hides it.",
            remedy: "Count the short losses as one loss.",
        }
        /// Both wrists are at one place.
        TOGETHER = "together" {
            cause: "Tracking took one hand for both, or the recording program wrote one hand twice.",
            remedy: "Use one of the hands at these times.",
        }
    }
}

pub(super) mod head {
    mutoscope_core::codes! { "head":
        /// The head turns or moves faster than a person can.
        SPEED = "speed" {
            cause: "The headset lost its position, or was put on or off, or the player was teleported.",
            remedy: "Leave these times out of measures of the head.",
        }
    }
}

pub(super) mod gaze {
    mutoscope_core::codes! { "gaze":
        /// The stored direction of a gaze is not of unit length.
        LENGTH = "length" {
            cause: "The columns are not a direction, or the components were rounded or averaged.",
            remedy: "Check the meaning of the columns. Mutoscope normalises the direction.",
        }
        /// The gaze does not move in the head.
        FIXED = "fixed" {
            cause: "The headset has no eye tracker, or it lost the eyes and repeats a direction.",
            remedy: "Treat the gaze as the direction of the head.",
        }
        /// The gaze and the head are not recorded at the same time.
        LATENCY = "latency" {
            cause: "The recording program combined the pose of the head with an earlier sample of the eyes, or the reverse.",
            remedy: "Shift one of both by the latency before you measure saccades, or use the gaze in the head.",
        }
        /// The eyes cross closer to the face than a person can.
        NEAR_POINT = "near-point" {
            cause: "One eye was lost or not calibrated, or the left and the right eye are exchanged.",
            remedy: "Do not rely on the depth of the gaze at these times.",
        }
        /// The gaze trembles from sample to sample more than an eye tracker should.
        RMS_S2S = "rms-s2s" {
            cause: "The eye tracker saw the pupils badly, because of light, glasses, make-up or a headset that sits loosely.",
            remedy: "Calibrate and record again, or filter the gaze before you detect saccades.",
        }
        /// The gaze scatters within short windows more than an eye tracker should.
        STD = "std" {
            cause: "The eye tracker saw the pupils badly, or the person never looked at one place.",
            remedy: "Enlarge the areas of interest, or do not tell apart targets that are this close.",
        }
        /// The gaze is lost for a large part of the recording.
        LOSS = "loss" {
            cause: "The eye tracker did not find the eyes, the person blinked or looked away, or samples are missing.",
            remedy: "Leave the recording out of measures of the gaze, or use the tracked parts only.",
        }
    }
}

pub(super) mod body {
    mutoscope_core::codes! { "body":
        /// A bone of a body changes its length.
        BONE_LENGTH = "bone-length" {
            cause: "Markers were mislabelled, or the joints are positions without a skeleton.",
            remedy: "Solve the skeleton again, or do not rely on the limb at these times.",
        }
        /// A planted foot moves.
        FOOT_SLIDE = "foot-slide" {
            cause: "The motion was retargeted, filtered or blended without holding the feet.",
            remedy: "Hold the feet with inverse kinematics in the program that made the motion.",
        }
        /// A foot is below the floor.
        FLOOR = "floor" {
            cause: "The floor was calibrated wrongly, or the motion was retargeted to longer legs.",
            remedy: "Raise the body, or hold the feet at the floor.",
        }
        /// The body stands in the air.
        FOOT_FLOAT = "foot-float" {
            cause: "The motion was retargeted to shorter legs, the root drifted, or the person stood on something.",
            remedy: "Lower the body, or hold the feet at the floor.",
        }
        /// The last pose of a loop does not lead to the first.
        LOOP_SEAM = "loop-seam" {
            cause: "The loop was cut at the wrong frame, or its ends were not blended.",
            remedy: "Cut the loop at matching poses, or blend its last frames into the first pose.",
        }
        /// A T-pose was left in the motion.
        T_POSE = "t-pose" {
            cause: "The program that exported the motion wrote the rest pose as a frame of its own.",
            remedy: "Remove the frame.",
        }
        /// A joint turns by more than 120° between two samples.
        FLIP = "flip" {
            cause: "The solver changed between two solutions, or angles were filtered across ±180°.",
            remedy: "Correct the rotation of the joint at this time.",
        }
        /// The root moves faster than a person can.
        ROOT_JUMP = "root-jump" {
            cause: "Tracking was lost, or two takes were joined.",
            remedy: "Cut the recording at this time.",
        }
        /// The left and the right side of the body are exchanged.
        MIRRORED = "mirrored" {
            cause: "The body was mirrored without renaming its joints, or an axis has the wrong sign.",
            remedy: "Exchange the names of both sides, or correct the axes.",
        }
    }
}

pub(super) mod marker {
    mutoscope_core::codes! { "marker":
        /// A marker is exactly at the origin, as programs write lost markers.
        ZERO = "zero" {
            cause: "The recording program wrote zeros for a marker that the cameras did not see.",
            remedy: "Treat the marker as lost at these times, and fill the gap in the recording program.",
        }
        /// Two markers exchange places between two samples.
        SWAPPED = "swapped" {
            cause: "The recording program took one marker for the other.",
            remedy: "Exchange the labels up to the next exchange.",
        }
    }
}

pub(super) mod time {
    mutoscope_core::codes! { "time":
        /// Several samples are missing.
        GAP = "gap" {
            cause: "The recording program stopped for a moment, or lost samples.",
            remedy: "Do not measure speeds across the gap.",
        }
        /// A time stamp is before the one stored before it.
        BACKWARDS = "backwards" {
            cause: "The clock was set back, or two recordings were joined.",
            remedy: "Check the times of the file. Mutoscope plays the samples in the order of time.",
        }
        /// The stated rate disagrees with the time stamps.
        RATE = "rate" {
            cause: "The header has the rate of another device, or the clock of the stamps is wrong.",
            remedy: "Find out which of both is right, before you measure speeds.",
        }
        /// Keys are outside of the range that the file states.
        OUTSIDE = "outside" {
            cause: "The range was cut without removing keys, or is in another unit.",
            remedy: "Correct the range, or remove the keys.",
        }
    }
}
