// Colours of the style sheet, which knows of light and dark.

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function seriesColour(place) {
  return colour(`series-${place % 7}`);
}

function rgb(hex) {
  const whole = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, "$&$&") : hex;
  return [1, 3, 5].map((at) => parseInt(whole.slice(at, at + 2), 16));
}

// From one colour to another, as 32-bit pixels for so many steps.
function ramp(from, to, steps) {
  const [low, high] = [rgb(from), rgb(to)];
  return Uint32Array.from({length: steps}, (_, step) => {
    const share = step / (steps - 1);
    const mixed = low.map((each, at) => Math.round(each + (high[at] - each) * share));
    return ((255 << 24) | (mixed[2] << 16) | (mixed[1] << 8) | mixed[0]) >>> 0;
  });
}
