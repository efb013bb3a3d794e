import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PluginContext } from '#plugin-kit/context'
import type { Base } from './base.js'

/** Milliseconds after which a private folder is what a process left that was killed. */
const LEFT_BEHIND = 24 * 3_600_000

const SSH_OPTIONS = [
  'BatchMode=yes',
  'IdentitiesOnly=yes',
  'IdentityAgent=none',
  'PasswordAuthentication=no',
  'KbdInteractiveAuthentication=no',
  'ForwardAgent=no',
  'ClearAllForwardings=yes',
  'PermitLocalCommand=no',
  'ProxyCommand=none',
  'GlobalKnownHostsFile=/dev/null',
  'ConnectTimeout=20',
  'ServerAliveInterval=15',
  'ServerAliveCountMax=4',
]

/**
 * Access for git: only environment variables. A token reaches only its host, through a credential
 * helper that reads it from the environment; a key is a file only while it is used.
 */
export interface Access {
  env: Readonly<Record<string, string>>
  config: readonly string[]
  /** Restricts git to checked addresses of the host. */
  pinned(addresses: readonly string[]): {
    env?: Readonly<Record<string, string>>
    config?: readonly string[]
  }
  close(): Promise<void>
}

const NOTHING_TO_CLOSE = async () => {}

/** Access without credentials. */
export const NO_ACCESS: Access = {
  env: {},
  config: [],
  pinned: () => ({}),
  close: NOTHING_TO_CLOSE,
}

/** Prepares the access of a connection. Whoever asks closes it. */
export async function openAccess(ctx: PluginContext, base: Base): Promise<Access> {
  if (base.scheme === 'file') return NO_ACCESS
  return base.scheme === 'https' ? openHttps(ctx, base.origin) : openSsh(ctx, base.origin)
}

const HELPER =
  '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$TARMAC_GIT_USERNAME" "$TARMAC_GIT_TOKEN"; }; f'

async function openHttps(ctx: PluginContext, origin: string): Promise<Access> {
  const { caFile } = ctx.connection
  const token = ctx.secret('token')
  const { config, close } =
    typeof caFile === 'string'
      ? await trustOnly(caFile, ctx)
      : { config: [], close: NOTHING_TO_CLOSE }
  const { hostname, port } = new URL(origin)
  const pinned = (addresses: readonly string[]) => ({
    config: [`http.curloptResolve=${hostname}:${port || 443}:${addresses.map(inUrl).join(',')}`],
  })
  if (typeof token !== 'string') return { env: {}, config, pinned, close }
  const username = ctx.secret('username')
  return {
    env: {
      TARMAC_GIT_USERNAME: typeof username === 'string' ? username : 'git',
      TARMAC_GIT_TOKEN: token,
    },
    config: [...config, `credential.${origin}.helper=${HELPER}`],
    pinned,
    close,
  }
}

/**
 * Makes git trust the certificates of a file alone. Unless it is given another folder, libcurl
 * trusts the system's, too, and with GnuTLS each run of git reads all of it: 40 ms of a processor
 * rather than 10. An empty folder serves GnuTLS and OpenSSL alike.
 */
async function trustOnly(caFile: string, ctx: PluginContext) {
  const empty = await privateFolder(ctx)
  return {
    config: [`http.sslCAInfo=${caFile}`, `http.sslCAPath=${empty}`],
    close: () => rm(empty, { recursive: true, force: true }),
  }
}

const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address)

async function openSsh(ctx: PluginContext, origin: string): Promise<Access> {
  const { hostKeys, hostKeyChecking = 'strict' } = ctx.connection
  const folder = await privateFolder(ctx)
  const key = ctx.secret('sshKey')
  const write = async (name: string, text: string) => {
    const path = join(folder, name)
    await writeFile(path, text.endsWith('\n') ? text : `${text}\n`, { mode: 0o600 })
    return path
  }
  const identity = typeof key === 'string' ? await write('key', key) : 'none'
  const known =
    typeof hostKeys === 'string' || ctx.folder === null
      ? await write('known_hosts', typeof hostKeys === 'string' ? hostKeys : '')
      : join(ctx.folder, 'known_hosts')
  const options = [
    ...SSH_OPTIONS,
    `IdentityFile=${identity}`,
    `UserKnownHostsFile=${known}`,
    `StrictHostKeyChecking=${hostKeyChecking === 'accept-new' ? 'accept-new' : 'yes'}`,
  ]
  // `-F /dev/null` keeps the settings of whoever runs the service out of it.
  const command = (more: readonly string[]) => {
    const given = [...options, ...more].flatMap((each) => ['-o', each])
    return ['ssh', '-F', '/dev/null', ...given].map(shellQuoted).join(' ')
  }
  return {
    env: { GIT_SSH_COMMAND: command([]), GIT_SSH_VARIANT: 'ssh' },
    config: [],
    pinned: ([address]) => ({
      env: { GIT_SSH_COMMAND: command([`HostName=${address}`, `HostKeyAlias=${knownAs(origin)}`]) },
    }),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Returns the name of a host in known_hosts: in brackets if its port is not 22. */
function knownAs(origin: string): string {
  const { hostname, port } = new URL(origin)
  const name = hostname.replace(/^\[|\]$/g, '')
  return port === '' || port === '22' ? name : `[${name}]:${port}`
}

async function privateFolder({ folder, now }: PluginContext): Promise<string> {
  if (folder === null) return mkdtemp(join(tmpdir(), 'tarmac-git-'))
  const keys = join(folder, 'keys')
  await mkdir(keys, { recursive: true, mode: 0o700 })
  await sweep(keys, now().getTime() - LEFT_BEHIND)
  return mkdtemp(join(keys, 'call-'))
}

/** Removes what a process could not because it was killed. */
async function sweep(keys: string, before: number): Promise<void> {
  for (const name of await readdir(keys)) {
    const path = join(keys, name)
    const found = await stat(path).catch(() => null)
    if (found && found.mtimeMs < before) await rm(path, { recursive: true, force: true })
  }
}

/** Returns a word for the shell that git itself hands the command to. */
function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
