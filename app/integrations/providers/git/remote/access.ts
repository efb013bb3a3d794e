import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PluginContext } from '#plugin-kit/context'
import type { Base } from './base.js'

/** Milliseconds after which a folder of keys is what a process left that was killed. */
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
 * How git gets in: variables of its environment alone. A token goes to its host only, by a
 * credential helper that reads it from the environment; a key is a file for as long as it is used.
 */
export interface Access {
  env: Readonly<Record<string, string>>
  config: readonly string[]
  close(): Promise<void>
}

const NOTHING_TO_CLOSE = async () => {}

/** Prepares the access of a connection. Whoever asks closes it. */
export async function openAccess(ctx: PluginContext, base: Base): Promise<Access> {
  if (base.scheme === 'file') return { env: {}, config: [], close: NOTHING_TO_CLOSE }
  return base.scheme === 'https' ? openHttps(ctx, base.origin) : openSsh(ctx)
}

const HELPER =
  '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$TARMAC_GIT_USERNAME" "$TARMAC_GIT_TOKEN"; }; f'

function openHttps(ctx: PluginContext, origin: string): Access {
  const { caFile } = ctx.connection
  const token = ctx.secret('token')
  const config = typeof caFile === 'string' ? [`http.sslCAInfo=${caFile}`] : []
  if (typeof token !== 'string') return { env: {}, config, close: NOTHING_TO_CLOSE }
  const username = ctx.secret('username')
  return {
    env: {
      TARMAC_GIT_USERNAME: typeof username === 'string' ? username : 'git',
      TARMAC_GIT_TOKEN: token,
    },
    config: [...config, `credential.${origin}.helper=${HELPER}`],
    close: NOTHING_TO_CLOSE,
  }
}

async function openSsh(ctx: PluginContext): Promise<Access> {
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
  const command = ['ssh', '-F', '/dev/null', ...options.flatMap((each) => ['-o', each])]
  return {
    env: { GIT_SSH_COMMAND: command.map(shellQuoted).join(' '), GIT_SSH_VARIANT: 'ssh' },
    config: [],
    close: () => rm(folder, { recursive: true, force: true }),
  }
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

/** A word for the shell that git itself hands the command to. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
