// The no-op task of piscina's threads.
export default i => i
