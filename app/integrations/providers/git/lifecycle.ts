import { constants } from 'node:fs'
import { access, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PluginContext } from '#plugin-kit/context'
import type { Lifecycle } from '#plugin-kit/plugin'
import { refused } from './program/failures.js'
import { requireVersion } from './program/version.js'
import { NO_ACCESS } from './remote/access.js'
import { parseBase } from './remote/base.js'
import { gitOf, Remote } from './remote/remote.js'

/**
 * Looks whether the program is there and new enough, whether a folder can be read and written,
 * and, where a repository is named to try it with, whether the server lets us read and push.
 */
async function check(ctx: PluginContext) {
  const base = parseBase(String(ctx.connection.baseUrl ?? ''))
  const version = await requireVersion(gitOf(ctx, base, NO_ACCESS))
  const missing = base.scheme === 'file' ? await folderPermissions(base.path) : []
  const where = base.scheme === 'file' ? base.path : `${base.origin}${base.prefix}`
  const { probeRepo } = ctx.connection
  if (typeof probeRepo !== 'string') {
    const tried = base.scheme === 'file' ? '' : ', not tried: probeRepo names no repository'
    return { account: `${where} (git ${version}${tried})`, missingPermissions: missing }
  }
  const mayPush = await tryRepository(ctx, probeRepo)
  return {
    account: `${where} (git ${version}, ${probeRepo})`,
    missingPermissions: mayPush ? missing : [...missing, 'push'],
  }
}

async function folderPermissions(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => null)
  if (!found?.isDirectory()) throw refused('notFound', 'baseUrl is not a folder', 'base_url')
  const may = (mode: number) =>
    access(path, mode).then(
      () => true,
      () => false
    )
  if (!(await may(constants.R_OK | constants.X_OK))) {
    throw refused('forbidden', 'baseUrl may not be read', 'refused')
  }
  return (await may(constants.W_OK)) ? [] : ['write']
}

/** Reads a repository's refs, and asks, without changing anything, whether we might push. */
async function tryRepository(ctx: PluginContext, probeRepo: string): Promise<boolean> {
  const remote = await Remote.open(ctx, probeRepo)
  const empty = await mkdtemp(join(tmpdir(), 'tarmac-git-'))
  try {
    await remote.refs()
    return await remote.mayPush(empty)
  } finally {
    await rm(empty, { recursive: true, force: true })
    await remote.close()
  }
}

const lifecycle: Lifecycle = { check }
export default lifecycle
