export { GooglePlayFake } from './google_fake.js'
export { sampleScenario } from './sample_scenario.js'
