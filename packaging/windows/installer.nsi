; The installer for Windows, for the user who runs it: no administrator is asked for.
;
;   makensis -DVERSION=0.1.0 -DOUT=setup.exe installer.nsi
;
; in a folder with mutoscope.exe and the papers that go with it. `setup.exe /S` installs silently, /D=FOLDER (the last
; option, without quotes) elsewhere; `uninstall.exe /S` removes all of it.
; As the program: for 64 bits. What installs for 32 bits could not be tried under a Wine for 64.
Target amd64-unicode
Unicode true
ManifestDPIAware true
SetCompressor /SOLID lzma
!include "MUI2.nsh"
!include "FileFunc.nsh"

Name "Mutoscope ${VERSION}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Mutoscope"
InstallDirRegKey HKCU "Software\Mutoscope" "Folder"
RequestExecutionLevel user
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Mutoscope"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Mutoscope: 3D playback for motion recordings"
VIAddVersionKey "LegalCopyright" "The makers of Mutoscope; MIT or Apache-2.0"

!define MUI_ICON "mutoscope.ico"
!define MUI_UNICON "mutoscope.ico"
!define MUI_FINISHPAGE_RUN "$INSTDIR\mutoscope.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Mutoscope"

; A kind of file by its extension: offered in "Open with", and never taken from a program that has it.
!macro Offer EXTENSION
    WriteRegStr HKCU "Software\Classes\.${EXTENSION}\OpenWithProgids" "Mutoscope.Recording" ""
    WriteRegStr HKCU "Software\Classes\Applications\mutoscope.exe\SupportedTypes" ".${EXTENSION}" ""
!macroend
!macro Withdraw EXTENSION
    DeleteRegValue HKCU "Software\Classes\.${EXTENSION}\OpenWithProgids" "Mutoscope.Recording"
    DeleteRegKey /ifempty HKCU "Software\Classes\.${EXTENSION}\OpenWithProgids"
    DeleteRegKey /ifempty HKCU "Software\Classes\.${EXTENSION}"
!macroend
!macro Each MACRO
    !insertmacro ${MACRO} "anim"
    !insertmacro ${MACRO} "animj"
    !insertmacro ${MACRO} "animx"
    !insertmacro ${MACRO} "bvh"
    !insertmacro ${MACRO} "glb"
    !insertmacro ${MACRO} "gltf"
    !insertmacro ${MACRO} "fbx"
    !insertmacro ${MACRO} "vrma"
    !insertmacro ${MACRO} "c3d"
    !insertmacro ${MACRO} "trc"
    !insertmacro ${MACRO} "mcap"
    !insertmacro ${MACRO} "pak"
    !insertmacro ${MACRO} "mcmocap_rec"
    !insertmacro ${MACRO} "mcmocap_scene"
!macroend

Section "Mutoscope" Program
    SectionIn RO
    SetOutPath "$INSTDIR"
    File "mutoscope.exe"
    File "mutoscope.ps1"
    File "README.md"
    File "CHANGELOG.md"
    File "LICENSE-MIT"
    File "LICENSE-APACHE"
    File /nonfatal "THIRD-PARTY-LICENSES.txt"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    WriteRegStr HKCU "Software\Mutoscope" "Folder" "$INSTDIR"
    CreateShortcut "$SMPROGRAMS\Mutoscope.lnk" "$INSTDIR\mutoscope.exe"
    ; `mutoscope` in the box of Win+R and for `start`.
    WriteRegStr HKCU "Software\Microsoft\Windows\CurrentVersion\App Paths\mutoscope.exe" "" "$INSTDIR\mutoscope.exe"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Mutoscope"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\mutoscope.exe"
    WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The makers of Mutoscope"
    WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
    WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
    WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
    WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
    ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
    IntFmt $0 "0x%08X" $0
    WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" "$0"
SectionEnd

Section "File types" FileTypes
    WriteRegStr HKCU "Software\Classes\Mutoscope.Recording" "" "Motion recording"
    WriteRegStr HKCU "Software\Classes\Mutoscope.Recording\DefaultIcon" "" "$INSTDIR\mutoscope.exe,0"
    WriteRegStr HKCU "Software\Classes\Mutoscope.Recording\shell\open\command" "" '"$INSTDIR\mutoscope.exe" "%1"'
    WriteRegStr HKCU "Software\Classes\Applications\mutoscope.exe" "FriendlyAppName" "Mutoscope"
    WriteRegStr HKCU "Software\Classes\Applications\mutoscope.exe\shell\open\command" "" '"$INSTDIR\mutoscope.exe" "%1"'
    !insertmacro Each Offer
    ; SHCNE_ASSOCCHANGED: the desktop looks again.
    System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd

; Links of reports. `--`: what a page writes into a link is never an option.
Section "Links to moments" Links
    WriteRegStr HKCU "Software\Classes\mutoscope" "" "URL:Mutoscope"
    WriteRegStr HKCU "Software\Classes\mutoscope" "URL Protocol" ""
    WriteRegStr HKCU "Software\Classes\mutoscope\DefaultIcon" "" "$INSTDIR\mutoscope.exe,0"
    WriteRegStr HKCU "Software\Classes\mutoscope\shell\open\command" "" '"$INSTDIR\mutoscope.exe" -- "%1"'
SectionEnd

Section "uninstall"
    Delete "$INSTDIR\mutoscope.exe"
    Delete "$INSTDIR\mutoscope.ps1"
    Delete "$INSTDIR\README.md"
    Delete "$INSTDIR\CHANGELOG.md"
    Delete "$INSTDIR\LICENSE-MIT"
    Delete "$INSTDIR\LICENSE-APACHE"
    Delete "$INSTDIR\THIRD-PARTY-LICENSES.txt"
    Delete "$INSTDIR\uninstall.exe"
    ; Only if nothing of others is in it.
    RMDir "$INSTDIR"
    Delete "$SMPROGRAMS\Mutoscope.lnk"
    !insertmacro Each Withdraw
    DeleteRegKey HKCU "Software\Classes\Mutoscope.Recording"
    DeleteRegKey HKCU "Software\Classes\mutoscope"
    DeleteRegKey HKCU "Software\Classes\Applications\mutoscope.exe"
    DeleteRegKey HKCU "Software\Microsoft\Windows\CurrentVersion\App Paths\mutoscope.exe"
    DeleteRegKey HKCU "${UNINSTALL}"
    DeleteRegKey HKCU "Software\Mutoscope"
    System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd
