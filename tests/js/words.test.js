import assert from "node:assert/strict";
import { test } from "node:test";

import { words } from "../../static/js/words.js";
import { fixture } from "./fixtures.js";

for (const [language, { catalogue, fields, told }] of Object.entries(fixture("words"))) {
  test(`the browser words every sentence of the library in ${language} as the server does`, () => {
    const spoken = words(catalogue, language, fields);
    assert.ok(told.length > 1000);
    for (const [sentence, text] of told) assert.equal(spoken.told([sentence]), text);
  });
}
