//! The sources of resources: archives of the games (PAK), and folders of extracted files.
//!
//! | file | contents |
//! |---|---|
//! | `id` | ids and types of resources |
//! | `table` | reads the table of an archive |
//! | `unpack` | unpacks a resource: zlib or LZO |
//! | `resource` | the bytes of a resource, and their location in a file |
//! | `loose` | finds resources among the files of a folder |

mod id;
mod loose;
mod resource;
mod table;
mod unpack;

pub use id::{AssetId, ResourceType};
pub use loose::LooseFiles;
pub use resource::{ArchiveResources, Resource, ResourceLocation, Resources};
pub use table::{Archive, ArchiveEntry, NamedResource};
pub use unpack::Compression;

pub(super) use table::{is_archive, is_later_archive};
