import { ADA } from '#organizations/examples'
import { exampleBuild } from '../examples.js'
import { exampleLink } from '../install_pages/examples.js'

const { id, version, buildNumber, testerNotes, createdAt } = exampleBuild

export const exampleDownload = {
  id: 'dl_2hWm9TqX4rLc7BvKe6Ns',
  buildDistroBuildId: id,
  version,
  buildNumber,
  tester: ADA,
  installLinkId: exampleLink.id,
  apiKey: null,
  device: 'iPhone15,2, iOS 18.6',
  downloadedAt: '2026-11-16T12:05:30.000Z',
}

export const exampleLatest = { updateAvailable: true, build: exampleBuild }

export const exampleUpdate = {
  updateAvailable: true,
  version,
  buildNumber,
  testerNotes,
  createdAt,
  url: exampleLink.url,
}
