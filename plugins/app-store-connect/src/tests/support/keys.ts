import { generateKeyPairSync } from 'node:crypto'
import { AppStoreConnectFake } from '../../fake/app_store_connect_fake.js'

const ISSUER = '57246542-96fe-1a63-e053-0824d011072a'
const OTHER_ISSUER = '69a6de70-03db-47e3-e053-5b8c7c11a4d1'

/** Makes a key as Apple issues it, and the part of it that Apple keeps. */
const makePair = () =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

const [team, person, other, unknown] = [makePair(), makePair(), makePair(), makePair()]

export const credentials = {
  good: { issuerId: ISSUER, keyId: '2X9R4HXF34', privateKey: team.privateKey },
  bad: { issuerId: ISSUER, keyId: '2X9R4HXF34', privateKey: unknown.privateKey },
  other: { issuerId: OTHER_ISSUER, keyId: 'D383SF739A', privateKey: other.privateKey },
}

/** A personal key, which has no issuer. */
export const personal = { keyId: 'ABCDE12345', privateKey: person.privateKey }

const keys = () => ({
  '2X9R4HXF34': { publicKey: team.publicKey, issuerId: ISSUER },
  'ABCDE12345': { publicKey: person.publicKey, issuerId: null },
  'D383SF739A': { publicKey: other.publicKey, issuerId: OTHER_ISSUER },
})

export const makeFake = () => new AppStoreConnectFake(keys())

/** Returns the same by the time of the machine. */
export const makeFakeOfNow = () => new AppStoreConnectFake(keys(), Date.now)

export const data = {
  appStore: { bundleId: 'com.acme.app' },
  betaTesting: { bundleId: 'com.acme.app' },
}
