import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib'

const FOLDER = fileURLToPath(new URL('../', import.meta.url))

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Style sheets in the order of their layers; they are served as one. */
const STYLES = [
  'tokens',
  'base',
  'layout',
  'components',
  'release',
  'people',
  'app',
  'sharing',
  'responsive',
] as const

/** A file that pages link to. Its address changes with its content. */
interface Asset {
  /** Its address. */
  path: string
  contentType: string
  /** Returns its bytes in a content coding, uncompressed for null. Each coding is made once. */
  bytesIn: (coding: Coding | null) => Promise<Buffer>
}

type Coding = 'br' | 'gzip'

/** The name of a large file that is stored compressed, with its version: `scalar.1.72.1.js.br`. */
const PACKED = /^((\w+)\.[\d.]+(\.js))\.br$/

/**
 * The files that pages link to: style, scripts, icons and fonts. They are read once, at their first
 * use. Each address holds a hash of the content or its version, so browsers may cache it for good.
 */
class Assets {
  readonly #byName = new Map<string, Asset>()
  readonly #byPath = new Map<string, Asset>()
  /** Changes with any asset. */
  readonly version: string

  constructor() {
    const folder = `${FOLDER}assets/`
    for (const name of readdirSync(folder)) {
      const [, file, stem, extension] = PACKED.exec(name) ?? []
      if (file) this.#keep(stem + extension, `/assets/${file}`, packed(folder + name))
      else if (extname(name) in CONTENT_TYPES) this.#add(name, readFileSync(folder + name))
    }
    this.#add('tarmac.js', readFileSync(`${FOLDER}script/tarmac.js`))
    const style = STYLES.map((name) => readFileSync(`${FOLDER}style/${name}.css`, 'utf8')).join('')
    // The style sheet names fonts by file; browsers need their addresses.
    const served = style.replace(
      /url\(([\w.-]+)\)/g,
      (_, name: string) => `url(${this.path(name)})`
    )
    this.#add('style.css', Buffer.from(served))
    this.version = hash('sha1', [...this.#byPath.keys()].join(' '), 'base64url').slice(0, 8)
  }

  #add(name: string, bytes: Buffer) {
    const extension = extname(name)
    const stem = name.slice(0, -extension.length)
    const path = `/assets/${stem}.${hash('sha1', bytes, 'hex').slice(0, 10)}${extension}`
    this.#keep(name, path, async (coding) => (coding ? compress(bytes, coding) : bytes))
  }

  #keep(name: string, path: string, read: Asset['bytesIn']) {
    const cache = new Map<Coding | null, Promise<Buffer>>()
    const bytesIn: Asset['bytesIn'] = (coding) => {
      const bytes = cache.get(coding) ?? read(coding)
      cache.set(coding, bytes)
      return bytes
    }
    const asset = { path, contentType: CONTENT_TYPES[extname(name)], bytesIn }
    this.#byName.set(name, asset)
    this.#byPath.set(path, asset)
  }

  /** Returns the address of a file. @throws for a name that no asset has */
  path(name: string): string {
    const asset = this.#byName.get(name)
    if (!asset) throw new Error(`There is no asset ${name}`)
    return asset.path
  }

  /** Finds the file with an address; undefined if there is none. */
  find(path: string): Asset | undefined {
    return this.#byPath.get(path)
  }
}

const brotli = promisify(brotliCompress)
const unbrotli = promisify(brotliDecompress)
const zip = promisify(gzip)

const compress = (bytes: Buffer, coding: Coding) =>
  coding === 'br'
    ? brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
    : zip(bytes, { level: 9 })

/** Returns how to read a file that is stored compressed. */
function packed(file: string): Asset['bytesIn'] {
  return async (coding) => {
    const bytes = await readFile(file)
    if (coding === 'br') return bytes
    const whole = await unbrotli(bytes)
    return coding ? compress(whole, coding) : whole
  }
}

let loaded: Assets | undefined

/** Returns the assets of this process. */
export const assets = (): Assets => (loaded ??= new Assets())
