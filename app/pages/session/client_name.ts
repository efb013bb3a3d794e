/** Browsers by their mark in `User-Agent`. Those that also carry the mark of another come first. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const MAX_LENGTH = 300

const firstOf = (names: typeof BROWSERS, text: string) =>
  names.find(([mark]) => mark.test(text))?.[1]

/**
 * Returns the browser of a `User-Agent` header as its owner would call it: `Firefox on Linux`. For
 * an unknown browser, returns the header itself; for a missing header, an empty text.
 */
export function clientName(userAgent = ''): string {
  const text = userAgent.slice(0, MAX_LENGTH)
  const browser = firstOf(BROWSERS, text)
  if (browser === undefined) return text
  const system = firstOf(SYSTEMS, text)
  return system === undefined ? browser : `${browser} on ${system}`
}
