import { generateKeyPairSync } from 'node:crypto'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

/** Returns the key file of a service account. */
export const keyFileOf = (name: string) => ({
  serviceAccount: JSON.stringify({
    type: 'service_account',
    project_id: 'acme',
    private_key_id: `key-of-${name}`,
    private_key: privateKey,
    client_email: `${name}@acme.iam.gserviceaccount.com`,
  }),
})

export const credentials = {
  good: keyFileOf('tarmac'),
  bad: keyFileOf('nobody'),
  readOnly: keyFileOf('reader'),
  other: keyFileOf('other'),
}

const APP = { bundleId: 'com.acme.app' }

export const data = {
  appStore: APP,
  betaTesting: APP,
  crashMonitoring: { projectId: 'com.acme.app' },
}
