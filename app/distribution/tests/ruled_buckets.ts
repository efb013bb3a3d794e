import { makeCustomCi } from '#builds/tests/support'

/** Makes an app with custom CI, and a bucket for each list of rules. */
export async function makeRuled(...rules: object[][]) {
  const ci = await makeCustomCi()
  const buckets: string[] = []
  for (const [index, each] of rules.entries()) {
    const given = { name: `Bucket ${index}`, rules: each }
    const { status, body, text } = await ci.admin.post(`/app/${ci.app}/bucket`, given)
    if (status !== 201) throw new Error(text)
    buckets.push(`/app/${ci.app}/bucket/${body.id}`)
  }
  const builds = async (bucket: string) => (await ci.admin.get(`${bucket}/builds`)).body.data
  return { ...ci, buckets, builds }
}
