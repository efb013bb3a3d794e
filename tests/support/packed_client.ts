import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildOptions } from 'esbuild'
import { newKeyPair, newSecret, signatureHeaders } from '../../app/webhooks/signing.js'
import { makeApp } from './app_fixture.js'
import { unpackPacked } from './packed.js'
import { makeWorld } from './world.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A program that uses the client, for any runtime. */
const USE = `
import {
  createTarmacClient, orThrow, paginate, TarmacError, verifyWebhook, WebhookError,
} from '@tarmac/client'

interface Given {
  baseUrl: string
  apiKey: string
  appId: string
  event: { body: string; headers: Record<string, string>; keys: string[] }
}

export async function use({ baseUrl, apiKey, appId, event }: Given) {
  let sent = 0
  const tarmac = createTarmacClient({
    baseUrl,
    apiKey,
    // The first request is refused by a limit.
    fetch: async (request) =>
      sent++ === 0 ? new Response(null, { status: 429, headers: { 'Retry-After': '0' } }) : fetch(request),
  })
  const path = { appId }
  for (const version of ['1.0.0', '1.1.0', '1.2.0'])
    await orThrow(tarmac.POST('/app/{appId}/release', { params: { path }, body: { version } }))
  const versions: string[] = []
  const params = { path, query: { limit: 2 } }
  for await (const release of paginate(tarmac, '/v2/app/{appId}/releases', { params }))
    versions.push(release.version)
  const releaseId = \`\${appId}:1.1.0\`
  const { steps } = await orThrow(
    tarmac.GET('/v2/app/{appId}/releases/{releaseId}', { params: { path: { appId, releaseId } } })
  )
  const misspelt = { version: '1.3.0', releaseNmae: 'x' }
  const refusal = await orThrow(
    tarmac.POST('/app/{appId}/release', { params: { path }, body: misspelt })
  ).catch((error: unknown) => error)
  const code = refusal instanceof TarmacError ? refusal.code : 'none'
  const events: string[] = []
  for (const key of event.keys)
    events.push((await verifyWebhook(event.body, event.headers, key)).eventType)
  const forged = await verifyWebhook(event.body + ' ', event.headers, event.keys).catch((error) => error)
  return { versions, steps: steps.length > 0, code, events, forged: forged instanceof WebhookError }
}
`

/** The result of the program in every runtime. */
export const USED = {
  versions: ['1.2.0', '1.1.0', '1.0.0'],
  steps: true,
  code: 'invalid_input',
  events: ['release.created', 'release.created'],
  forged: true,
}

/** Returns the input of the program: an app of a service, and an event with both signatures. */
export async function givenTo(baseUrl: string) {
  const world = await makeWorld()
  const secret = newSecret()
  const { privateKey, publicKey } = newKeyPair()
  const body = '{"id":"evt_1","eventType":"release.created"}'
  const attempt = {
    id: 'evt_1',
    // The program that verifies it has the machine's time; a test may have moved `Date.now`.
    attemptedAt: Math.round(performance.timeOrigin + performance.now()),
    body: Buffer.from(body),
  }
  const headers = signatureHeaders(attempt, [secret, privateKey])
  const event = { body, headers, keys: [secret, publicKey] }
  return { baseUrl, apiKey: world.adminKey, appId: await makeApp(world), event }
}

/** Makes a folder in which the packed client is installed, with the program as `use.ts`. */
export async function installClient(cleanup: (end: () => void) => void): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tarmac-client-'))
  cleanup(() => rmSync(folder, { recursive: true, force: true }))
  const place = join(folder, 'node_modules/@tarmac/client')
  mkdirSync(place, { recursive: true })
  await unpackPacked('client', folder, place)
  // Dependencies that npm would install.
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'standardwebhooks', '@types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'use.ts'), USE)
  return folder
}

/** Bundles a module for a browser or an edge runtime. @throws if it imports anything of Node */
export async function bundleClient(
  folder: string,
  source: string,
  options: BuildOptions = {}
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder },
    ...{ bundle: true, minify: true, format: 'esm', platform: 'browser' },
    ...options,
    write: false,
  })
  return outputFiles![0].text
}
