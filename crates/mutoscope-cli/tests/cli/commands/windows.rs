//! Tests of behaviour on Windows: names, wildcards, long paths, files that other programs have
//! open, and console events.

use std::{
    fs,
    os::windows::{ffi::OsStringExt as _, fs::OpenOptionsExt as _, process::CommandExt as _},
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, GenerateConsoleCtrlEvent};

use crate::commands::{program, run, run_on, run_output};

fn walk() -> Vec<u8> {
    fs::read(Path::new(mutoscope_testing::ROOT).join("assets/bvh/walk.bvh")).unwrap()
}

fn folder_with_walk() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_owned();
    fs::write(root.join("walk.bvh"), walk()).unwrap();
    (folder, move |name: &str| root.join(name).to_str().unwrap().to_owned())
}

fn file_names(folder: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| name(entry).into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn reserved_names_are_refused_without_output() {
    let (folder, path) = folder_with_walk();
    for name in ["con.glb", "NUL.csv", "com1.anim", "walk:1.glb", "what?.csv"] {
        let ran = run(&["convert", &path("walk.bvh"), "-o", &path(name)]);
        assert_eq!(ran.status, Some(1), "{name}: {}", ran.err);
        assert!(
            ran.err.contains("on Windows") && ran.err.contains("Name another file"),
            "{}",
            ran.err
        );
    }
    assert_eq!(file_names(folder.path()), ["walk.bvh"]);
    assert_eq!(fs::read(path("walk.bvh")).unwrap(), walk());
}

#[test]
fn null_device_is_accepted_as_output() {
    let (folder, path) = folder_with_walk();
    for null in ["NUL", "nul"] {
        let ran = run(&["convert", "--to", "csv", &path("walk.bvh"), "-o", null]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
    }
    assert_eq!(file_names(folder.path()), ["walk.bvh"]);
}

#[test]
fn paths_are_accepted_in_every_form() {
    let (folder, path) = folder_with_walk();
    let plain = path("walk.bvh");
    let verbatim = fs::canonicalize(&plain).unwrap().into_os_string().into_string().unwrap();
    assert!(verbatim.starts_with(r"\\?\"), "{verbatim}");
    let forms = [plain.clone(), plain.replace('\\', "/"), plain.to_uppercase(), verbatim];
    for form in forms {
        let ran = run(&["info", "--json", &form]);
        assert_eq!(ran.status, Some(0), "{form}: {}", ran.err);
        assert_eq!(ran.json_lines()[0]["path"], form);
    }
    let drive = plain.split(':').next().unwrap();
    let mut relative = program(&["info", &format!("{drive}:walk.bvh")]);
    let ran = run_output(relative.current_dir(folder.path()).output().unwrap());
    assert_eq!(ran.status, Some(0), "{}", ran.err);
}

#[test]
fn paths_longer_than_260_characters_are_read_and_written() {
    let (_folder, path) = folder_with_walk();
    let deep = format!("{}\\{}\\{}", "a".repeat(120), "b".repeat(120), "c".repeat(40));
    fs::create_dir_all(path(&deep)).unwrap();
    let (from, to) = (path(&format!("{deep}\\walk.bvh")), path(&format!("{deep}\\walk.glb")));
    fs::write(&from, walk()).unwrap();
    for _ in 0..2 {
        let ran = run(&["convert", &from, "-o", &to]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
    }
    assert_eq!(file_names(Path::new(&path(&deep))), ["walk.bvh", "walk.glb"]);
}

#[test]
fn input_is_protected_in_any_case_and_through_hard_links() {
    let (_folder, path) = folder_with_walk();
    fs::hard_link(path("walk.bvh"), path("same.bvh")).unwrap();
    for name in ["WALK.BVH", "same.bvh"] {
        let ran = run(&["convert", &path("walk.bvh"), "-o", &path(name)]);
        assert_eq!(ran.status, Some(1), "{name}: {}", ran.err);
        assert!(ran.err.contains("would overwrite the recording, an input"), "{}", ran.err);
    }
    assert_eq!(fs::read(path("walk.bvh")).unwrap(), walk());
}

#[test]
fn open_and_read_only_outputs_are_kept() {
    let (folder, path) = folder_with_walk();
    let out = path("out.csv");
    fs::write(&out, "mine").unwrap();
    let convert = || run(&["convert", &path("walk.bvh"), "-o", &out]);
    let opened = fs::File::options().read(true).share_mode(1).open(&out).unwrap();
    let ran = convert();
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.err.contains("another program has it open. Close it there"), "{}", ran.err);
    drop(opened);
    let mut permissions = fs::metadata(&out).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&out, permissions.clone()).unwrap();
    let ran = convert();
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.err.contains("it is marked read-only"), "{}", ran.err);
    assert_eq!(fs::read(&out).unwrap(), b"mine");
    assert_eq!(file_names(folder.path()), ["out.csv", "walk.bvh"]);
    #[allow(clippy::permissions_set_readonly_false, reason = "the attribute of Windows")]
    permissions.set_readonly(false);
    fs::set_permissions(&out, permissions).unwrap();
    assert_eq!(convert().status, Some(0));
}

#[test]
fn recording_that_another_program_reads_can_be_read() {
    let (_folder, path) = folder_with_walk();
    let opened = fs::File::options().read(true).share_mode(1).open(path("walk.bvh")).unwrap();
    assert_eq!(run(&["info", &path("walk.bvh")]).status, Some(0));
    drop(opened);
    let alone = fs::File::options().read(true).share_mode(0).open(path("walk.bvh")).unwrap();
    let ran = run(&["info", &path("walk.bvh")]);
    assert_eq!(ran.status, Some(1), "the file is open without sharing");
    assert!(ran.err.contains("cannot be read: "), "{}", ran.err);
    drop(alone);
}

#[test]
fn wildcards_are_expanded_and_brackets_are_literal() {
    let (_folder, path) = folder_with_walk();
    for name in ["take[1].bvh", "take1.bvh"] {
        fs::write(path(name), walk()).unwrap();
    }
    let ran = run(&["info", "--json", &path("*.bvh")]);
    assert_eq!((ran.status, ran.json_lines().len()), (Some(0), 3), "{}", ran.err);
    let ran = run(&["info", "--json", &path("take[1].bvh")]);
    assert_eq!(ran.json_lines()[0]["path"], path("take[1].bvh"), "{}", ran.err);
    let ran = run(&["info", &path("*.none")]);
    assert_eq!(ran.status, Some(1), "a pattern without matches is used as a file name");
}

#[test]
fn file_names_need_not_be_unicode() {
    let folder = tempfile::tempdir().unwrap();
    let name = std::ffi::OsString::from_wide(&[0x74, 0xD800, 0x2E, 0x62, 0x76, 0x68]);
    let path: PathBuf = folder.path().join(name);
    // Not every file system accepts an unpaired surrogate.
    if fs::write(&path, walk()).is_err() {
        return;
    }
    let ran = run(&["info".as_ref(), "--json".as_ref(), path.as_os_str()]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let printed = ran.json_lines()[0]["path"].as_str().unwrap().to_owned();
    assert!(printed.ends_with(r"t\xed\xa0\x80.bvh"), "{printed}");
}

#[test]
fn standard_streams_are_binary() {
    let (_folder, path) = folder_with_walk();
    let input = [&b"\r\n"[..], b"\x1a"].concat();
    let ran = run_on(&["info", "--as", "bvh", "-"], &input);
    assert_eq!(ran.status, Some(1), "Ctrl+Z must not end the input");
    let ran = run(&["convert", &path("walk.bvh"), "--to", "csv", "-o", "-"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.contains('\n') && !ran.out.contains('\r'));
}

/// The export must take long enough that the event arrives before its end.
fn long_recording() -> String {
    let keys: Vec<_> = (0..100_000)
        .map(|key| format!(r#"{{"time":{key}.5,"value":{{"x":{},"y":0,"z":0}}}}"#, key % 7))
        .collect();
    let track = |node: usize| {
        format!(
            r#"{{"trackType":"Curve","valueType":"float3","data":{{"node":"n{node}","property":"Position",
               "keyframes":[{}]}}}}"#,
            keys.join(",")
        )
    };
    let tracks: Vec<_> = (0..8).map(track).collect();
    format!(r#"{{"tracks":[{}]}}"#, tracks.join(","))
}

/// The program handles Ctrl+Break, which a program can send to another, like Ctrl+C and the closing
/// of the console.
#[test]
fn interrupted_export_leaves_no_file() {
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("long.animj"), long_recording()).unwrap();
    let mut program = program(&["convert", &path("long.animj"), "-o", &path("out.glb")]);
    program.creation_flags(CREATE_NEW_PROCESS_GROUP);
    let mut program = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while file_names(folder.path()).len() < 2 && program.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    // SAFETY: the function takes two integers and no pointers.
    let is_sent = unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, program.id()) } != 0;
    if !is_sent {
        use std::io::Write as _;
        let message = "\nSKIPPED: there is no console, so Ctrl+Break is NOT tested\n";
        writeln!(std::io::stderr(), "{message}").unwrap();
    }
    let ran = run_output(program.wait_with_output().unwrap());
    if ran.status == Some(0) {
        // There is no console, or the export ended before the event on a busy machine.
        assert_eq!(file_names(folder.path()), ["long.animj", "out.glb"]);
    } else {
        assert_eq!(ran.status, Some(1), "{}", ran.err);
        assert!(ran.err.ends_with("out.glb: cancelled\n"), "{}", ran.err);
        assert_eq!(file_names(folder.path()), ["long.animj"]);
    }
}
