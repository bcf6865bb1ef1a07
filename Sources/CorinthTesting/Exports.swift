public import Corinth
