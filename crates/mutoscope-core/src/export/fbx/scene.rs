//! Collects the objects of a file and their connections.

use std::{collections::BTreeMap, io, path::Path};

use super::document::{Element, Value};
use crate::io::spooled::SpooledBytes;

/// The id of an object. 0 is the scene.
pub(super) type ObjectId = i64;

pub(super) const SCENE_ROOT: ObjectId = 0;

/// The first id. Smaller numbers are reserved, because programs use them for objects of their own.
const FIRST_ID: ObjectId = 1_000_000;

/// The class of an object, its name in object names, and its subtype.
#[derive(Clone, Copy)]
pub(super) struct ObjectClass {
    pub(super) element: &'static str,
    pub(super) name_class: &'static str,
    pub(super) subtype: &'static str,
}

impl ObjectClass {
    pub(super) const fn new(
        element: &'static str,
        name_class: &'static str,
        subtype: &'static str,
    ) -> Self {
        Self { element, name_class, subtype }
    }
}

pub(super) struct Scene {
    pub(super) objects: Vec<Element>,
    pub(super) connections: Vec<Element>,
    /// The bytes of arrays that [`Self::spool_arrays`] has moved out of the objects.
    pub(super) spooled: SpooledBytes,
    /// The number of objects whose arrays are in [`Self::spooled`].
    spooled_object_count: usize,
    next_id: ObjectId,
}

impl Scene {
    /// Creates an empty scene. [`Self::spool_arrays`] uses a temporary file in the folder of `path`.
    pub(super) fn new(path: Option<&Path>) -> Self {
        Self {
            objects: Vec::new(),
            connections: Vec::new(),
            spooled: SpooledBytes::new(path),
            spooled_object_count: 0,
            next_id: FIRST_ID,
        }
    }

    /// Moves the arrays of new objects into the temporary file. Without a file, they stay where they
    /// are, because curves share some of them.
    pub(super) fn spool_arrays(&mut self) -> io::Result<()> {
        if self.spooled.is_in_memory() {
            return Ok(());
        }
        for object in &mut self.objects[self.spooled_object_count..] {
            object.spool_arrays(&mut self.spooled)?;
        }
        self.spooled_object_count = self.objects.len();
        Ok(())
    }

    pub(super) fn reserve_id(&mut self) -> ObjectId {
        self.next_id += 1;
        self.next_id - 1
    }

    /// Adds an object and returns its id.
    pub(super) fn add(
        &mut self,
        class: ObjectClass,
        name: &str,
        children: Vec<Element>,
    ) -> ObjectId {
        let id = self.reserve_id();
        self.add_with_id(id, class, name, children);
        id
    }

    /// Adds an object whose id was reserved.
    pub(super) fn add_with_id(
        &mut self,
        id: ObjectId,
        class: ObjectClass,
        name: &str,
        children: Vec<Element>,
    ) {
        let name = Value::ObjectName { name: name.to_owned(), class: class.name_class };
        let object = Element::new(class.element, [id.into(), name, class.subtype.into()]);
        self.objects.push(object.with_children(children));
    }

    /// Makes `child` a part of `parent`.
    pub(super) fn connect(&mut self, child: ObjectId, parent: ObjectId) {
        let values = [Value::from("OO"), child.into(), parent.into()];
        self.connections.push(Element::new("C", values));
    }

    /// Makes `child` the value of a property of `parent`.
    pub(super) fn connect_property(&mut self, child: ObjectId, parent: ObjectId, property: &str) {
        let values = [Value::from("OP"), child.into(), parent.into(), property.into()];
        self.connections.push(Element::new("C", values));
    }

    /// Returns the number of objects of each class.
    pub(super) fn counts(&self) -> BTreeMap<&'static str, i32> {
        let mut counts = BTreeMap::new();
        for object in &self.objects {
            *counts.entry(object.name).or_insert(0) += 1;
        }
        counts
    }
}
