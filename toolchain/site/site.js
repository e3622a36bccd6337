// Shows one of several code blocks in a row, which are the same program in several languages: the block in the language
// that the reader has chosen, on all pages. Without this script, all blocks are shown.
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

// Long names of types may be broken into lines only between their words.
for (const link of document.querySelectorAll("td a"))
  if (link.childElementCount === 0) link.innerHTML = link.innerHTML.replace(/([a-z])(?=[A-Z])/g, "$1<wbr>");
