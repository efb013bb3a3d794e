import { ADA, CI_KEY } from '#organizations/examples'
import { BUCKET, exampleBuild } from '../examples.js'

export const exampleLink = {
  id: 'link_6cVb3NzQ8xLk1WpRt5Hj',
  bucketId: BUCKET.id,
  buildDistroBuildId: exampleBuild.id as string | null,
  tester: ADA,
  url: 'https://tarmac.acme.example/install/6cVb3NzQ8xLk1WpRt5HjmQ2vXf8Kp-0cYd_5uTnZ4A',
  createdAt: '2026-11-16T11:45:00.000Z',
  createdBy: CI_KEY,
  expiresAt: '2026-11-23T11:45:00.000Z',
}

export const exampleLinkPage = {
  data: [exampleLink],
  pagination: { limit: 50, hasMore: false, nextCursor: null },
}
