// Sphinx's search passes over numbers; people search for 253 or 6 October.
if (typeof Search !== "undefined") {
  const parse = Search._parseQuery;
  Search._parseQuery = (query) => {
    const parsed = parse(query);
    for (const number of query.match(/(?<![\w,])\d[\d,]*(?!\w)/g) ?? []) {
      const [, terms, , highlighted] = parsed;
      for (const digits of number.split(",").filter(Boolean)) {
        terms.add(digits);
        highlighted.add(digits);
      }
    }
    return parsed;
  };
}
