//! Paints icons from shapes, so that they are sharp at every size and do not depend on a font.

use std::f32::consts::TAU;

use bevy_egui::egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Icon {
    Start,
    Previous,
    Play,
    Pause,
    Next,
    End,
    Eye,
    EyeClosed,
    ChevronDown,
    ChevronLeft,
    ChevronRight,
    ArrowDown,
    ArrowUp,
    Close,
    Search,
    Info,
    Warning,
    Error,
    PanelLeft,
    PanelRight,
    Flag,
    Tiles,
    Sound,
    Muted,
}

pub(super) fn paint(painter: &Painter, rect: Rect, icon: Icon, color: Color32) {
    let brush = Brush { painter, centre: rect.center(), color };
    match icon {
        Icon::Play => brush.triangle(vec2(0.5, 0.0), 6.0),
        Icon::Pause => {
            brush.bar(-3.0, 3.0);
            brush.bar(3.0, 3.0);
        }
        Icon::Start => {
            brush.bar(-5.0, 2.0);
            brush.triangle(vec2(1.0, 0.0), -5.0);
        }
        Icon::End => {
            brush.triangle(vec2(-1.0, 0.0), 5.0);
            brush.bar(5.0, 2.0);
        }
        Icon::Previous => {
            brush.triangle(vec2(-2.0, 0.0), -4.5);
            brush.bar(4.5, 1.5);
        }
        Icon::Next => {
            brush.bar(-4.5, 1.5);
            brush.triangle(vec2(2.0, 0.0), 4.5);
        }
        Icon::Tiles => {
            for (x, y) in [(-3.0, -3.0), (3.0, -3.0), (-3.0, 3.0), (3.0, 3.0)] {
                let tile = Rect::from_center_size(brush.centre + vec2(x, y), Vec2::splat(4.0));
                painter.rect_filled(tile, 1.0, color);
            }
        }
        Icon::Eye => brush.eye(true),
        Icon::EyeClosed => brush.eye(false),
        Icon::ChevronDown => brush.line(&[(-3.5, -1.8), (0.0, 1.8), (3.5, -1.8)]),
        Icon::ChevronLeft => brush.line(&[(1.8, -3.5), (-1.8, 0.0), (1.8, 3.5)]),
        Icon::ChevronRight => brush.line(&[(-1.8, -3.5), (1.8, 0.0), (-1.8, 3.5)]),
        Icon::ArrowDown => brush.arrow(1.0),
        Icon::ArrowUp => brush.arrow(-1.0),
        Icon::Close => {
            brush.line(&[(-3.5, -3.5), (3.5, 3.5)]);
            brush.line(&[(3.5, -3.5), (-3.5, 3.5)]);
        }
        Icon::Search => {
            painter.circle_stroke(brush.to_screen(-1.0, -1.0), 3.8, brush.stroke());
            brush.line(&[(1.8, 1.8), (5.0, 5.0)]);
        }
        Icon::Info => brush.info(),
        Icon::Warning => brush.warning(),
        Icon::Error => brush.error(),
        Icon::PanelLeft => brush.panel(-1.0),
        Icon::PanelRight => brush.panel(1.0),
        Icon::Sound => brush.speaker(true),
        Icon::Muted => brush.speaker(false),
        Icon::Flag => brush.polygon(&[(-4.0, -5.0), (4.0, -2.0), (-4.0, 1.0)]),
    }
}

struct Brush<'a> {
    painter: &'a Painter,
    centre: Pos2,
    color: Color32,
}

impl Brush<'_> {
    fn to_screen(&self, x: f32, y: f32) -> Pos2 {
        self.centre + vec2(x, y)
    }

    fn stroke(&self) -> Stroke {
        Stroke::new(1.4, self.color)
    }

    fn line(&self, points: &[(f32, f32)]) {
        let points = points.iter().map(|&(x, y)| self.to_screen(x, y)).collect();
        self.painter.line(points, self.stroke());
    }

    fn polygon(&self, points: &[(f32, f32)]) {
        let points = points.iter().map(|&(x, y)| self.to_screen(x, y)).collect();
        self.painter.add(Shape::convex_polygon(points, self.color, Stroke::NONE));
    }

    fn triangle(&self, offset: Vec2, reach: f32) {
        let height = reach.abs();
        let back = offset.x - reach * 0.8;
        self.polygon(&[
            (back, offset.y - height),
            (offset.x + reach, offset.y),
            (back, offset.y + height),
        ]);
    }

    fn arrow(&self, direction: f32) {
        self.line(&[(0.0, -4.5 * direction), (0.0, 4.5 * direction)]);
        self.line(&[(-3.0, 1.5 * direction), (0.0, 4.5 * direction), (3.0, 1.5 * direction)]);
    }

    fn bar(&self, x: f32, width: f32) {
        let rect = Rect::from_center_size(self.to_screen(x, 0.0), vec2(width, 11.0));
        self.painter.rect_filled(rect, 0.5, self.color);
    }

    fn speaker(&self, sounds: bool) {
        self.polygon(&[
            (-5.5, -1.8),
            (-3.0, -1.8),
            (0.0, -4.6),
            (0.0, 4.6),
            (-3.0, 1.8),
            (-5.5, 1.8),
        ]);
        if !sounds {
            self.line(&[(2.2, -2.2), (6.2, 2.2)]);
            self.line(&[(6.2, -2.2), (2.2, 2.2)]);
            return;
        }
        for (radius, reach) in [(2.6, 0.9_f32), (5.4, 0.8)] {
            let arc = (-4..=4).map(|step| {
                let angle = step as f32 / 4.0 * reach;
                (0.4 + radius * angle.cos(), radius * angle.sin())
            });
            self.line(&arc.collect::<Vec<_>>());
        }
    }

    fn eye(&self, open: bool) {
        let lid = |sign: f32| -> Vec<Pos2> {
            (0..=10)
                .map(|step| {
                    let x = step as f32 / 5.0 - 1.0;
                    self.to_screen(x * 5.5, sign * 3.4 * (1.0 - x * x))
                })
                .collect()
        };
        self.painter.line(lid(1.0), self.stroke());
        if open {
            self.painter.line(lid(-1.0), self.stroke());
            self.painter.circle_filled(self.centre, 1.8, self.color);
        }
    }

    fn info(&self) {
        self.painter.circle_stroke(self.centre, 5.5, self.stroke());
        self.painter.circle_filled(self.to_screen(0.0, -2.4), 0.9, self.color);
        self.line(&[(0.0, -0.4), (0.0, 3.0)]);
    }

    fn warning(&self) {
        let corners = [(0.0, -5.5), (6.0, 5.0), (-6.0, 5.0), (0.0, -5.5)];
        self.line(&corners);
        self.line(&[(0.0, -1.8), (0.0, 1.6)]);
        self.painter.circle_filled(self.to_screen(0.0, 3.4), 0.8, self.color);
    }

    fn error(&self) {
        let corner = |index: usize| {
            let angle = TAU * (index as f32 + 0.5) / 8.0;
            (5.8 * angle.cos(), 5.8 * angle.sin())
        };
        let corners: Vec<_> = (0..=8).map(corner).collect();
        self.line(&corners);
        self.line(&[(-2.2, -2.2), (2.2, 2.2)]);
        self.line(&[(2.2, -2.2), (-2.2, 2.2)]);
    }

    /// Paints a window with a panel on the left (`side` = -1) or on the right (1).
    fn panel(&self, side: f32) {
        let rect = Rect::from_center_size(self.centre, vec2(13.0, 11.0));
        self.painter.rect_stroke(rect, 1.5, self.stroke(), StrokeKind::Middle);
        let edge = self.centre.x + side * 6.5;
        let inner = self.centre.x + side * 2.0;
        let panel =
            Rect::from_two_pos(pos2(edge, self.centre.y - 5.5), pos2(inner, self.centre.y + 5.5));
        self.painter.rect_filled(panel, 1.0, self.color);
    }
}
