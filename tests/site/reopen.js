// Opens a view in the moment between the end of another and the event that tells it.
async () => {
  const sheet = document.getElementById("sheet");
  const go = (hash) => new Promise((resolve) => {
    addEventListener("hashchange", resolve, { once: true });
    location.hash = hash;
  });
  const task = () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(0);
  });
  await go("#more");
  while (!sheet.open) await new Promise(requestAnimationFrame);
  const closed = new Promise((resolve) => sheet.addEventListener("close", resolve));
  await go("#");
  while (sheet.open) await task(); // the event of its closing comes with the next frame
  await go("#more");
  let steps = 0; // back, which takes its time
  history.go = (by) => { steps += by; };
  await closed;
  return [location.hash, steps];
}
