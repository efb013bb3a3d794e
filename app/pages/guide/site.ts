import { hash } from 'node:crypto'
import { readFile, readdir, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** The file that a build writes last: its time tells builds apart. */
const LAST_WRITTEN = 'hashmap.json'

const INLINE_SCRIPT = /<script(?![^>]*\bsrc=)[^>]*>([^]*?)<\/script>/g

/** A file of the guide, as it is served. */
export interface GuideFile {
  contentType: string
  bytes: Buffer
  etag: string
  /** Its name changes with its content. */
  isImmutable: boolean
  /** The sources of its inline scripts for the policy of a page: `'sha256-…'`. */
  scripts: readonly string[]
}

/** The guide that `npm run docs:build` has written into a folder. Files are read at first use. */
export class GuideSite {
  readonly #folder: string
  #builtAt = Number.NaN
  #files = new Map<string, string>()
  readonly #read = new Map<string, Promise<GuideFile>>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Finds the file of an address below the guide. Only listed files are found, so no address leads
   * out of the folder.
   * @returns null if the guide is not built, undefined for an unknown address
   */
  async find(address: string): Promise<GuideFile | null | undefined> {
    if (!(await this.#listFiles())) return null
    const name = this.#files.get(address)
    if (name === undefined) return undefined
    const reading = this.#read.get(name) ?? this.#readFile(name)
    this.#read.set(name, reading)
    return reading
  }

  /** Lists the files of the last build. Returns whether there is one. */
  async #listFiles(): Promise<boolean> {
    const last = await stat(join(this.#folder, LAST_WRITTEN)).catch(() => null)
    if (last === null) return false
    if (last.mtimeMs === this.#builtAt) return true
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true })
    const names = entries
      .filter((entry) => entry.isFile() && extname(entry.name) in CONTENT_TYPES)
      .map((entry) => relative(this.#folder, join(entry.parentPath, entry.name)))
    this.#files = new Map(names.map((name) => [addressOf(name), name]))
    this.#read.clear()
    this.#builtAt = last.mtimeMs
    return true
  }

  async #readFile(name: string): Promise<GuideFile> {
    const bytes = await readFile(join(this.#folder, name))
    const extension = extname(name)
    const inline = extension === '.html' ? [...bytes.toString().matchAll(INLINE_SCRIPT)] : []
    return {
      contentType: CONTENT_TYPES[extension],
      bytes,
      etag: `"${hash('sha1', bytes, 'base64url')}"`,
      isImmutable: name.startsWith(`assets${sep}`),
      scripts: inline.map(([, script]) => `'sha256-${hash('sha256', script, 'base64')}'`),
    }
  }
}

/** Returns the address of a file: a page without its ending, an index page as its folder. */
const addressOf = (name: string) =>
  name
    .split(sep)
    .join('/')
    .replace(/(^|\/)index\.html$/, '$1')
    .replace(/\.html$/, '')
