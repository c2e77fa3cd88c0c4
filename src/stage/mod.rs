//! The 3D picture of what the [`Player`](crate::player::Player) plays.

mod view;

pub use view::{
    AxisView, CameraMode, CameraRequest, ScreenPoint, StageScreen, StageViewport, View,
};
