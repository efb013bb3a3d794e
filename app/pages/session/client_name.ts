/** Browsers by what their names hold, those first that also name another. */
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

const MOST = 300

const firstOf = (names: typeof BROWSERS, text: string) =>
  names.find(([mark]) => mark.test(text))?.[1]

/**
 * The browser of a header `User-Agent`, as its owner would call it: `Firefox on Linux`. The header
 * itself where it is of no browser that is known; empty if there is none.
 */
export function clientName(userAgent = ''): string {
  const text = userAgent.slice(0, MOST)
  const browser = firstOf(BROWSERS, text)
  if (browser === undefined) return text
  const system = firstOf(SYSTEMS, text)
  return system === undefined ? browser : `${browser} on ${system}`
}
