// The style of the page's JavaScript, beyond what the compiler sees.
import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "consistent-return": "error",
      curly: ["error", "multi-line"],
      "default-case-last": "error",
      eqeqeq: "error",
      "no-console": "error",
      "no-eval": "error",
      "no-implicit-globals": "error",
      "no-param-reassign": "error",
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: "text is put in as text (h in dom.js)" },
        { property: "outerHTML", message: "text is put in as text (h in dom.js)" },
        { property: "insertAdjacentHTML", message: "text is put in as text (h in dom.js)" },
      ],
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-unmodified-loop-condition": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
];
