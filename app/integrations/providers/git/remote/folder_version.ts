import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The observable state of a repository in a folder. */
interface FolderVersion {
  /** Another text wherever a ref, a setting or what it is made of is another. */
  text: string
  /** The last change is long enough ago that none after it can bear its time. */
  isSettled: boolean
}

/** Files that are looked at: to look at more costs what git does. */
const MAX_FILES = 1000

/** File systems keep times of change by ticks of some milliseconds, some by whole seconds. */
const TICK = 50
const SECONDS = 2500

/**
 * Returns the state of a local repository without git: every write, creation or removal of a file
 * has a change time that nobody can set. Null if that is inconclusive: links, refs in tables, or
 * too many files.
 */
export async function versionOf(folder: string): Promise<FolderVersion | null> {
  const now = Date.now()
  const seen = new Seen()
  try {
    for (const name of ['HEAD', 'config']) await seen.add(join(folder, name))
    const own = await seen.names(folder)
    if (own.includes('reftable')) return null
    if (own.includes('packed-refs')) await seen.add(join(folder, 'packed-refs'))
    if (!(await seen.tree(join(folder, 'refs')))) return null
    await seen.names(join(folder, 'objects'))
    await seen.names(join(folder, 'objects', 'pack'))
  } catch {
    // It is missing or not accessible: git has the better message.
    return null
  }
  return { text: seen.lines.join('\n'), isSettled: now - seen.changedAt > seen.grain }
}

/**
 * Returns the state of a file or folder: every write sets a change time that nobody can set
 * otherwise.
 */
async function versionOfFile(path: string): Promise<{ text: string; changedNs: bigint }> {
  const { dev, ino, size, ctimeNs } = await stat(path, { bigint: true })
  return { text: [dev, ino, size, ctimeNs].join(' '), changedNs: ctimeNs }
}

/** The files inspected so far. */
class Seen {
  readonly lines: string[] = []
  #changedNs = 0n

  /** Time of the last change, in milliseconds since the epoch. */
  get changedAt(): number {
    return Number(this.#changedNs / 1_000_000n)
  }

  get grain(): number {
    return this.#changedNs % 1_000_000_000n === 0n ? SECONDS : TICK
  }

  async add(path: string): Promise<void> {
    const { text, changedNs } = await versionOfFile(path)
    if (changedNs > this.#changedNs) this.#changedNs = changedNs
    this.lines.push(`${path} ${text}`)
  }

  /** Also what is in it: of objects that is enough. */
  async names(folder: string): Promise<string[]> {
    await this.add(folder)
    const names = (await readdir(folder)).sort()
    this.lines.push(names.join(' '))
    return names
  }

  /** @returns false if it has a link, or too much in it */
  async tree(folder: string): Promise<boolean> {
    await this.add(folder)
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (this.lines.length > MAX_FILES) return false
      if (entry.isDirectory()) {
        if (!(await this.tree(path))) return false
      } else if (entry.isFile()) await this.add(path)
      else return false
    }
    return true
  }
}
