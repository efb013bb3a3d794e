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

/** A file that pages name, served for ever under a name with the hash of its content. */
interface Asset {
  /** Its address. */
  path: string
  contentType: string
  /** Returns its bytes in a content coding, or as they are. Each is made once. */
  as: (coding: Coding | null) => Promise<Buffer>
}

type Coding = 'br' | 'gzip'

/** A large file that is kept compressed, with its version in its name: `scalar.1.72.1.js.br`. */
const PACKED = /^((\w+)\.[\d.]+(\.js))\.br$/

/**
 * The files that pages name: style, scripts, icons and fonts. They are read once, at their first
 * use. An address holds the hash of the content, or its version, so a browser keeps it for good.
 */
class Assets {
  readonly #byName = new Map<string, Asset>()
  readonly #byPath = new Map<string, Asset>()
  /** Changes with any asset. */
  readonly version: string

  constructor() {
    const copied = `${FOLDER}assets/`
    for (const name of readdirSync(copied)) {
      const [, file, stem, extension] = PACKED.exec(name) ?? []
      if (file) this.#keep(stem + extension, `/assets/${file}`, packed(copied + name))
      else if (extname(name) in CONTENT_TYPES) this.#add(name, readFileSync(copied + name))
    }
    this.#add('tarmac.js', readFileSync(`${FOLDER}script/tarmac.js`))
    const style = STYLES.map((name) => readFileSync(`${FOLDER}style/${name}.css`, 'utf8')).join('')
    // Fonts are named in it, under the names that they are served as.
    const named = style.replace(/url\(([\w.-]+)\)/g, (_, name: string) => `url(${this.path(name)})`)
    this.#add('style.css', Buffer.from(named))
    this.version = hash('sha1', [...this.#byPath.keys()].join(' '), 'base64url').slice(0, 8)
  }

  #add(name: string, bytes: Buffer) {
    const extension = extname(name)
    const stem = name.slice(0, -extension.length)
    const path = `/assets/${stem}.${hash('sha1', bytes, 'hex').slice(0, 10)}${extension}`
    this.#keep(name, path, async (coding) => (coding ? compress(bytes, coding) : bytes))
  }

  #keep(name: string, path: string, read: Asset['as']) {
    const made = new Map<Coding | null, Promise<Buffer>>()
    const as: Asset['as'] = (coding) => {
      const bytes = made.get(coding) ?? read(coding)
      made.set(coding, bytes)
      return bytes
    }
    const asset = { path, contentType: CONTENT_TYPES[extname(name)], as }
    this.#byName.set(name, asset)
    this.#byPath.set(path, asset)
  }

  /** Returns the address of a file. @throws for a name that no asset has */
  path(name: string): string {
    const asset = this.#byName.get(name)
    if (!asset) throw new Error(`There is no asset ${name}`)
    return asset.path
  }

  /** Finds the file with an address; undefined for one that there is not. */
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

/** Reads a file that is kept compressed, when it is first asked for. */
function packed(file: string): Asset['as'] {
  return async (coding) => {
    const bytes = await readFile(file)
    if (coding === 'br') return bytes
    const whole = await unbrotli(bytes)
    return coding ? compress(whole, coding) : whole
  }
}

let loaded: Assets | undefined

/** The assets of this process. */
export const assets = (): Assets => (loaded ??= new Assets())
