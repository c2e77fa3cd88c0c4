// Runs the Khronos glTF validator on every GLB in a folder.
// Usage: node validate-gltf.cjs MODULE FOLDER; it prints a line of JSON for each file.
const fs = require("fs");
const path = require("path");

const [module_, folder] = process.argv.slice(2);
const validator = require(module_);

(async () => {
  for (const name of fs.readdirSync(folder).filter((name) => name.endsWith(".glb")).sort()) {
    const bytes = new Uint8Array(fs.readFileSync(path.join(folder, name)));
    const options = { uri: name, maxIssues: 100 };
    const { issues } = await validator.validateBytes(bytes, options);
    const messages = issues.messages.filter((one) => one.severity <= 1);
    const texts = messages.slice(0, 5).map((one) => `${one.code} ${one.pointer}: ${one.message}`);
    console.log(JSON.stringify({ name, errors: issues.numErrors, warnings: issues.numWarnings, messages: texts }));
  }
})();
