import { SourceMap } from 'node:module'

/**
 * Makes stack traces name positions in our sources instead of the compiled code. A source map is
 * read when a stack trace first needs it, whereas Node's own support reads and keeps all of them at
 * the start.
 *
 * @param mapOf returns the text of a file's source map by its URL, or undefined
 */
export function readPlacesOfSources(mapOf) {
  const maps = new Map()

  function read(url) {
    if (!maps.has(url)) {
      let map = null
      try {
        const text = mapOf(url)
        if (text) map = new SourceMap(JSON.parse(text))
      } catch {
        // Positions in the compiled code are better than no stack trace.
      }
      maps.set(url, map)
    }
    return maps.get(url)
  }

  function textOfSite(site) {
    const url = site.getFileName()
    const [line, column] = [site.getLineNumber(), site.getColumnNumber()]
    const source = url?.startsWith('file:') ? read(url)?.findOrigin(line, column) : undefined
    if (!source?.lineNumber) return String(site)
    const place = `${url}:${source.lineNumber}:${source.columnNumber}`
    return String(site).replace(`${url}:${line}:${column}`, place)
  }

  Error.prepareStackTrace = (error, sites) =>
    [headOf(error), ...sites.map((site) => `    at ${textOfSite(site)}`)].join('\n')
}

function headOf(error) {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return 'Error'
  }
}
