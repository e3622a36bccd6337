// Blocks of code that follow each other are one program in several languages: shows the one of the reader's language,
// which all pages remember. Without this script, all of them are shown.
const names = {
  typescript: "TypeScript",
  python: "Python",
  go: "Go",
  yaml: "YAML",
  csharp: "C#",
  java: "Java",
};
const key = "pipestack-language";

function labelOf(block) {
  const code = block?.matches("pre") && block.querySelector("code");
  const name = code && names[code.className];
  return name && code.textContent.includes('"@pipestack/sdk"') ? `${name} (plugin)` : name;
}

const groups = [];
for (const first of document.querySelectorAll("pre")) {
  if (!labelOf(first) || labelOf(first.previousElementSibling)) continue;
  const blocks = [];
  for (let block = first; labelOf(block); block = block.nextElementSibling) blocks.push(block);
  const labels = [...new Set(blocks.map(labelOf))];
  if (labels.length === 1) continue;
  const chooser = document.createElement("fieldset");
  chooser.className = "languages";
  chooser.append(Object.assign(document.createElement("legend"), { textContent: "Language" }));
  for (const label of labels) {
    const input = Object.assign(document.createElement("input"), {
      ...{ type: "radio", name: `language-${groups.length}`, value: label },
      onchange: () => choose(label),
    });
    const choice = document.createElement("label");
    choice.append(input, label);
    chooser.append(choice);
  }
  first.before(chooser);
  groups.push({ chooser, blocks, labels });
}

function choose(language) {
  localStorage.setItem(key, language);
  show(language);
}

function show(language) {
  for (const { chooser, blocks, labels } of groups) {
    const selected = labels.includes(language) ? language : labels[0];
    for (const input of chooser.querySelectorAll("input")) input.checked = input.value === selected;
    for (const block of blocks) block.hidden = labelOf(block) !== selected;
  }
}

show(localStorage.getItem(key));

// Names of types may break between their words, and nowhere else.
for (const link of document.querySelectorAll("td a"))
  if (link.childElementCount === 0) link.innerHTML = link.innerHTML.replace(/([a-z])(?=[A-Z])/g, "$1<wbr>");
