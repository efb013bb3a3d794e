import { generateKeyPairSync } from 'node:crypto'
import { AppStoreConnectFake } from '@tarmac/plugin-app-store-connect/fake'
import { inProcessHosts } from '#integrations/port/in_process'

/** The fake of App Store Connect that the service reaches. */
export const reached: {
  apple: AppStoreConnectFake | null
  /** Intercepts each request to the fake. */
  before: (request: Request, respond: () => Promise<Response>) => Promise<Response>
  /** Called with each answer. */
  answered: (response: Response) => void
} = { apple: null, before: (_, respond) => respond(), answered: () => {} }

for (const host of ['api.appstoreconnect.apple.com', 'store-001.blobstore.apple.com']) {
  const respond = async (request: Request) => {
    const response = await reached.before(request, () => reached.apple!.answer(request))
    reached.answered(response)
    return response
  }
  inProcessHosts.extend({ host, answer: respond }).register()
}

const { publicKey, privateKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
/** Credentials of a team that the fake knows. */
export const credentials = {
  issuerId: '57246542-96fe-1a63-e053-0824d011072a',
  keyId: '2X9R4HXF34',
  privateKey,
}

/** @param now the time of the fake, in milliseconds */
export function makeAppStore(now: () => number): AppStoreConnectFake {
  const { issuerId, keyId } = credentials
  return new AppStoreConnectFake({ [keyId]: { publicKey, issuerId } }, now)
}
