export const exampleEventInput = {
  name: 'checkout_failures',
  value: 3,
  unit: 'count',
  version: '4.2.0',
  buildNumber: '4711',
  environment: 'production',
  properties: { duration_ms: 912, country: 'NO' },
}
