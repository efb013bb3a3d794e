import { normalize } from 'node:path'
import { refused } from '../program/failures.js'
import { quoted } from '../names.js'

/** The base that all repositories of a connection are below. */
export type Base =
  | { scheme: 'file'; path: string }
  | { scheme: 'ssh' | 'https'; origin: string; prefix: string }

const PATH = /^\/[^\p{Cc}]*$/u
const SSH = /^ssh:\/\/((?:[A-Za-z0-9_][\w.-]*@)?HOST)(\/[\w.~+@/-]*)?$/
const HTTPS = /^https:\/\/(HOST)(\/[\w.~+@%/-]*)?$/
const HOST = /(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?/
const withHost = (pattern: RegExp) => new RegExp(pattern.source.replace('HOST', HOST.source))

/**
 * Reads the setting `baseUrl`: a path, or an ssh or https address without credentials. All other
 * transports of git, those that run a program among them, have no place in it.
 * @throws ProviderError `invalid`
 */
export function parseBase(baseUrl: string): Base {
  if (PATH.test(baseUrl) && !hasDots(baseUrl)) {
    return { scheme: 'file', path: withoutSlash(normalize(baseUrl)) || '/' }
  }
  for (const [scheme, pattern] of [
    ['ssh', withHost(SSH)],
    ['https', withHost(HTTPS)],
  ] as const) {
    const [, host, prefix = ''] = pattern.exec(baseUrl) ?? []
    if (host === undefined || hasDots(prefix) || /%(?![0-9A-F]{2})|%2[EF]/i.test(prefix)) continue
    return { scheme, origin: `${scheme}://${host}`, prefix: withoutSlash(prefix) }
  }
  throw refused('invalid', 'baseUrl is neither a path nor an ssh or https address', 'base_url')
}

/**
 * Returns the address of a repository below a base, for git. It never holds a credential.
 * @throws ProviderError `invalid` for a name that leads elsewhere
 */
export function addressOf(base: Base, repoName: string): string {
  const parts = repoName.split('/')
  if (repoName.length > 300 || !parts.every(isPart)) {
    throw refused('invalid', `repoName ${quoted(repoName)} is no name below baseUrl`, 'repo_name')
  }
  if (base.scheme === 'file') return `${base.path === '/' ? '' : base.path}/${repoName}`
  const path = base.scheme === 'https' ? parts.map(encodeURIComponent).join('/') : repoName
  return `${base.origin}${base.prefix}/${path}`
}

/**
 * Returns whether a text is a part of a repository's name: no way up, no option, no home of a user,
 * nothing of git's own.
 */
function isPart(part: string): boolean {
  return /^[\p{L}\p{N}_.][\p{L}\p{M}\p{N}_.+@ -]*$/u.test(part) && !/^(\.{1,2}|\.git)$/i.test(part)
}

function hasDots(path: string): boolean {
  return path.split('/').some((part) => part === '.' || part === '..')
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '')
}
