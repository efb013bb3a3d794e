import { SourceMap } from 'node:module'

/**
 * Lets stacks name the places of our sources instead of those of the compiled code. A source
 * map is read when a stack is first asked for: Node's own support reads and keeps every one
 * of them at start.
 *
 * @param mapOf answers the text of the source map of a file by its URL, or nothing
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
        // A stack with the places of the compiled code is better than none.
      }
      maps.set(url, map)
    }
    return maps.get(url)
  }

  function placed(site) {
    const url = site.getFileName()
    const [line, column] = [site.getLineNumber(), site.getColumnNumber()]
    const source = url?.startsWith('file:') ? read(url)?.findOrigin(line, column) : undefined
    if (!source?.lineNumber) return String(site)
    const place = `${url}:${source.lineNumber}:${source.columnNumber}`
    return String(site).replace(`${url}:${line}:${column}`, place)
  }

  Error.prepareStackTrace = (error, sites) =>
    [headOf(error), ...sites.map((site) => `    at ${placed(site)}`)].join('\n')
}

function headOf(error) {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return 'Error'
  }
}
