import { makeFeatures } from '#features/tests/support'
import { reported } from '#releases/tests/helpers/release_world'

export const BRANCH = 'release/1.0.0'

/** Makes a release that is kicked off, and a working branch that has moved on. */
export async function makeLate(
  cleanup: Parameters<typeof makeFeatures>[0],
  options: Parameters<typeof makeFeatures>[1] = {}
) {
  const made = await makeFeatures(cleanup, options)
  const { repository, release, kickOff, look, admin, path, world, tracker } = made
  for (const key of ['SHOP-1', 'SHOP-3', 'SHOP-8', 'SHOP-9']) tracker.set(key)
  repository.commit({ files: { 'file.txt': 'one\n' } })
  repository.git('tag', 'v0.9.0', 'main')
  repository.commit({ message: 'Of the release', files: { 'release.txt': 'release\n' } })
  await release('1.0.0')
  await kickOff('1.0.0')
  await look()
  const requests = `${path('1.0.0')}/fixRequest`
  return {
    ...made,
    requests,
    ask: async (body: object) => {
      const response = await admin.post(requests, { title: 'It crashes', ...body })
      if (response.status !== 201) throw new Error(response.text)
      return response.body.id as string
    },
    show: async (id: string) => (await admin.get(`${requests}/${id}`)).body,
    /** Commits a change to the working branch that conflicts with the release branch. */
    conflicting: () => {
      const hash = repository.commit({ message: 'Fix', files: { 'file.txt': 'two\n' } })
      repository.commit({ branch: BRANCH, message: 'Own', files: { 'file.txt': 'three\n' } })
      return hash
    },
    tip: () => repository.git('rev-parse', BRANCH),
    /** Returns the subjects on the release branch since the last release, according to git. */
    subjects: () => repository.git('log', '--format=%s', `v0.9.0..${BRANCH}`).split('\n'),
    events: async () =>
      (await reported(world)).filter(({ type }) => type.startsWith('fixRequest.')),
  }
}
