//! `info`: what is inside.

mod object;
mod summary;

use std::io::{self, Write};

use super::{InfoArgs, Reader, Status, json};

pub(super) fn run(args: &InfoArgs, reader: &Reader, out: &mut impl Write) -> io::Result<Status> {
    let reader = &Reader { animation: args.animation.clone(), ..reader.clone() };
    let mut all_were_read = true;
    for source in &args.sources {
        let input = reader.open(source);
        if let Some(clip) = input.report() {
            if args.json {
                json::line(out, &object::Info::new(&input.name, clip))?;
            } else {
                summary::print(&input.name, clip, out)?;
            }
            // Keeps the order on a terminal, where the next file's messages follow.
            out.flush()?;
        } else {
            all_were_read = false;
        }
    }
    Ok(Status::done_if(all_were_read))
}
