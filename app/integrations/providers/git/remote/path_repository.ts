import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { refused } from '../program/failures.js'
import type { GitProgram } from '../program/git_program.js'

/** Programs that git would run in a repository that is pushed to. */
const HOOKS = new Set([
  'pre-receive',
  'update',
  'proc-receive',
  'post-receive',
  'post-update',
  'reference-transaction',
  'push-to-checkout',
])

/**
 * Returns the folder of a repository on this machine: below the base, also when links are followed,
 * and a repository in itself that points to no other.
 * @throws ProviderError `notFound`, `forbidden`
 */
export async function findPathRepository(base: string, address: string): Promise<string> {
  const [root, found] = await Promise.all([
    realpath(base).catch((error: unknown) => missing(error, 'baseUrl')),
    realpath(address).catch((error: unknown) => missing(error, 'The repository')),
  ])
  for (const candidate of [found, join(found, '.git')]) {
    if (!(await isRepository(candidate))) continue
    const folder = await realpath(candidate)
    const way = relative(root, folder)
    if (way === '' || (!way.startsWith('..') && !isAbsolute(way))) return folder
    throw refused('forbidden', 'The repository is not below baseUrl', 'outside')
  }
  throw refused('notFound', 'There is no repository of that name below baseUrl', 'repository')
}

/**
 * Looks at a repository of this machine before git works in it as its server: what git would
 * fetch from elsewhere, or run, in answering is refused.
 * @throws ProviderError `forbidden`
 */
export async function requirePlain(git: GitProgram, folder: string): Promise<void> {
  const config = await readConfig(git, folder)
  const unfit = [...config.keys()].find((key) =>
    /^(extensions\.(partialclone|worktreeconfig)|remote\..*\.promisor)$/s.test(key)
  )
  if (unfit) {
    throw refused('forbidden', `A repository with ${unfit} cannot be used by its path`, 'config')
  }
}

/**
 * Hooks of a repository of this machine are not run; to go around them would break what they
 * hold. So one that has any is not changed by its path.
 * @throws ProviderError `forbidden`
 */
export async function requireNoHooks(git: GitProgram, folder: string): Promise<void> {
  const own = (await readConfig(git, folder)).get('core.hookspath')
  for (const hooks of [join(folder, 'hooks'), ...(own ? [resolve(folder, own)] : [])]) {
    const names = await readdir(hooks).catch(() => [])
    const active = names.filter((name) => HOOKS.has(name))
    if (active.length === 0) continue
    throw refused(
      'forbidden',
      `The repository has hooks (${active.join(', ')}), which are not run; connect it by ssh or https`,
      'hooks'
    )
  }
}

/** Parsed configurations by the bytes of their files. */
const read = new Map<string, Map<string, string>>()
const MAX_READ = 500

/** Size of a configuration file that is kept, in bytes. */
const MAX_BYTES = 8192

/**
 * Returns the repository's own configuration, read as a file: nothing is included or obeyed, so the
 * same bytes mean the same wherever they are. Git is begun only for bytes that it has not read yet.
 */
async function readConfig(git: GitProgram, folder: string): Promise<Map<string, string>> {
  const file = join(folder, 'config')
  const bytes = await smallFile(file).catch(unreadable)
  const kept = bytes === null ? undefined : read.get(bytes)
  if (kept) return kept
  const { stdout } = await git
    .run(['config', '--file', file, '--no-includes', '--null', '--list'])
    .catch(unreadable)
  const config = new Map(
    stdout
      .toString('utf8')
      .split('\0')
      .map((entry): [string, string] => {
        const [key, ...value] = entry.split('\n')
        return [key, value.join('\n')]
      })
  )
  if (read.size >= MAX_READ) read.clear()
  // A file that was written while git read it is read again.
  const isSame = bytes !== null && (await smallFile(file).catch(unreadable)) === bytes
  if (isSame) read.set(bytes, config)
  return config
}

/** Returns the bytes of a small file, one a character; null for whatever else is there. */
async function smallFile(path: string): Promise<string | null> {
  const found = await stat(path)
  return found.isFile() && found.size <= MAX_BYTES ? readFile(path, 'latin1') : null
}

function unreadable(): never {
  throw refused('forbidden', 'The configuration of the repository cannot be read', 'config')
}

/** Returns whether git would accept a folder as a self-contained repository. */
async function isRepository(folder: string): Promise<boolean> {
  const [head, objects, refs, elsewhere] = await Promise.all(
    ['HEAD', 'objects', 'refs', 'commondir'].map((name) =>
      lstat(join(folder, name)).catch(() => null)
    )
  )
  return head !== null && objects !== null && refs !== null && elsewhere === null
}

function missing(error: unknown, what: string): never {
  const { code } = error as NodeJS.ErrnoException
  throw code === 'EACCES'
    ? refused('forbidden', `${what} may not be read`, 'refused')
    : refused('notFound', `${what} is not there`, 'repository')
}
