// Runes everywhere; styles go to a file of their own, as the server's policy
// demands.
export default {
  compilerOptions: { runes: true, css: 'external' },
};
