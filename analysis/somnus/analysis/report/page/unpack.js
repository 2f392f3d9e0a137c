// Columns of numbers as pack.py packs them. Throws what the browser says if the page is damaged.
async function unpack(id, columns) {
  const text = document.getElementById(id).textContent;
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; ++at) bytes[at] = letters.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const planes = new Uint8Array(await new Response(stream).arrayBuffer());
  const found = {};
  let at = 0;
  for (const [name, coding, length] of columns) {
    found[name] = column(planes.subarray(at, at + 4 * length), coding, length);
    at += 4 * length;
  }
  return found;
}

function column(planes, coding, length) {
  const words = new Uint32Array(length);
  for (let row = 0; row < length; ++row) {
    words[row] = (planes[row] | (planes[row + length] << 8) | (planes[row + 2 * length] << 16)
      | (planes[row + 3 * length] << 24)) >>> 0;
  }
  if (coding === "float") return new Float32Array(words.buffer);
  if (coding === "steps") {
    let sum = 0;
    for (let row = 0; row < length; ++row) {
      sum += (words[row] >>> 1) ^ -(words[row] & 1);
      words[row] = sum;
    }
  }
  return words;
}
