import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { AuthScheme, PluginManifest } from '../../../plugin-kit/manifest.js'
import type { PortStage } from './port_stage.js'

export const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
export const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const pem = (key: KeyObject, type: 'pkcs8' | 'pkcs1' = 'pkcs8') =>
  key.export({ type, format: 'pem' }).toString()

/** Makes a signed call. */
export const read = { method: 'GET', path: '/me' } as const

/** Returns the tokens of the signed requests. */
export const bearers = (stage: PortStage) =>
  stage.server.seen.flatMap(({ url, headers }) => (url === '/me' ? headers.authorization : []))

/** Hosts by name, so that token endpoints resolve to the server, too. */
export const named = (...auth: AuthScheme[]): Partial<PluginManifest> => ({
  auth,
  hosts: { allow: ['api.acme.example'], selfHosted: false },
})
