// Numbers as people read them.

/** A count with its noun. */
export const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

/** Seconds, roughly. */
export function duration(seconds) {
  if (seconds < 2) return "a second or two";
  if (seconds < 90) return `${seconds.toFixed(0)} seconds`;
  if (seconds < 5_400) return `${(seconds / 60).toFixed(0)} minutes`;
  if (seconds < 172_800) return `${(seconds / 3_600).toFixed(0)} hours`;
  return `${(seconds / 86_400).toFixed(0)} days`;
}

/** Bytes, roughly. */
export function size(bytes) {
  if (bytes >= 2 ** 30) return `${(bytes / 2 ** 30).toFixed(1)} GB`;
  if (bytes >= 2 ** 20) return `${(bytes / 2 ** 20).toFixed(0)} MB`;
  return `${Math.max(1, Math.round(bytes / 1024))} kB`;
}

/** An argument of a command line. */
export const shellWord = (text) => (/^[\w.,/@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** With a capital letter and a full stop. */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
