import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { AuthScheme, PluginManifest } from '../../../plugin-kit/manifest.js'
import type { PortStage } from './port_stage.js'

export const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
export const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const pem = (key: KeyObject, type: 'pkcs8' | 'pkcs1' = 'pkcs8') =>
  key.export({ type, format: 'pem' }).toString()

/** A call that is signed. */
export const read = { method: 'GET', path: '/me' } as const

/** Returns the tokens of the signed requests. */
export const bearers = (stage: PortStage) =>
  stage.server.seen.flatMap(({ url, headers }) => (url === '/me' ? headers.authorization : []))

/** Hosts by their names, so that token endpoints lead to the server as well. */
export const named = (...auth: AuthScheme[]): Partial<PluginManifest> => ({
  auth,
  hosts: { allow: ['api.acme.example'], selfHosted: false },
})
